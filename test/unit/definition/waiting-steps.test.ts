import { expect } from 'chai';
import { codesOf, draftOf, edge, problemsOf, value } from './helpers.js';

const race = (...arms: string[]) => ({ ref: 'race', type: 'RACE', arms });

describe('Publish refuses', () => {
  it('a race whose arms are not there, have edges, are itself, or belong to another race', () => {
    const draft = draftOf(
      [
        race('nobody', 'linked', 'race', 'shared'),
        { ...race('shared'), ref: 'other' },
        value('linked'),
        value('shared'),
      ],
      [edge('linked', 'shared')],
    );
    const arms = codesOf(problemsOf(draft)).filter((code) => code.includes('arms'));
    expect(arms).to.have.members([
      'graph.steps[0].arms[0]: unknown_step',
      'graph.steps[0].arms[1]: invalid_arm',
      'graph.steps[0].arms[2]: invalid_arm',
      'graph.steps[0].arms[3]: invalid_arm',
      'graph.steps[1].arms[0]: invalid_arm',
    ]);
  });

  it('a WAIT for nothing, or for two things at once', () => {
    const event = { event_name: 'paid', correlation_key: 'input.id' };
    const draft = draftOf([
      { ref: 'a', type: 'WAIT' },
      { ref: 'b', type: 'WAIT', duration: 'PT1S', event },
      { ref: 'c', type: 'WAIT', event },
    ]);
    expect(codesOf(problemsOf(draft))).to.have.members(['graph.steps[0]: one_of', 'graph.steps[1].event: one_of']);
  });

  it('C12 a duration that is none', () => {
    for (const duration of ['PT-1S', '-PT1S', 'NaN', 'PInfD', 'P1Y', 'P1M', 'P99999999999999D', '', 5]) {
      const problems = problemsOf(draftOf([{ ref: 'w', type: 'WAIT', duration: duration as string }]));
      expect(
        problems.map(({ path }) => path),
        String(duration),
      ).to.deep.equal(['graph.steps[0].duration']);
    }
  });

  it('more approvals than there are approvers', () => {
    const draft = draftOf([{ ref: 'ask', type: 'APPROVAL', approvers: ['ann'], min_approvals: 2 }]);
    expect(codesOf(problemsOf(draft))).to.deep.equal(['graph.steps[0].min_approvals: out_of_range']);
  });

  it('a sub-workflow that waits for who knows what', () => {
    const draft = draftOf([{ ref: 's', type: 'SUBWORKFLOW', workflow: { slug: 'x' }, wait_for: 'half' }]);
    expect(problemsOf(draft).map(({ path }) => path)).to.deep.equal(['graph.steps[0].wait_for']);
  });
});
