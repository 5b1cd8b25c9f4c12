import type { Definition, JsonObject, Origin, RunView } from '@ductor/core';
import plugin from '@ductor/plugin-correlation-labels';
import { expect } from 'chai';
import fc from 'fast-check';

const id = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';
const definition: Definition = {
  id,
  tenantId: 'default',
  familySlug: 'any',
  version: 1,
  graph: { steps: [], edges: [] },
  settings: {},
  connectors: [],
  actions: {},
  publishedAt: '2026-11-29T00:00:00.000Z',
};

const runWith = (fields: JsonObject): RunView => ({
  id,
  chainId: id,
  tenantId: 'default',
  kind: 'workflow',
  input: null,
  traceparent: null,
  context: {},
  fields,
  lineage: { rootRunId: id, journeyId: id, parent: null, above: [], continuedFrom: null, resetFrom: null, depth: 0 },
});

const sent = (correlation_labels: unknown[]): Origin => ({
  from: 'trigger',
  fields: JSON.parse(JSON.stringify({ correlation_labels })),
});

function start(origin: Origin, maxLabels = 16) {
  const { hooks } = plugin.contribute({}, { max_labels: maxLabels });
  const answer = hooks?.start?.({ run: runWith({}), definition, origin });
  if (answer === undefined) throw new Error('the plugin has no start hook');
  return answer;
}

/** The paths of what the labels are refused for; none if they are accepted. */
function refusedPaths(labels: unknown[], maxLabels?: number): unknown[] {
  const answer = start(sent(labels), maxLabels);
  if (!('refuse' in answer)) return [];
  expect(answer.refuse.code).to.equal('invalid_argument');
  return [answer.refuse.details].flat().map((problem) => (problem as { path: string }).path);
}

const label = (key: string, value = 'x') => ({ key, id: value });

describe('correlation labels at the start of a run', () => {
  it('are kept by key for expressions, shown as reserved attributes, and written as rows', () => {
    const labels = [label('order', 'o-1'), label('import', 'imp-7')];
    expect(start(sent(labels))).to.eql({
      fields: { labels: { order: 'o-1', import: 'imp-7' } },
      attributes: {
        'ductor.correlation_labels': labels,
        'ductor.correlation.order': 'o-1',
        'ductor.correlation.import': 'imp-7',
      },
      rows: labels.map((row) => ({ do: 'write', table: 'eec_workflow_label', row })),
    });
  });

  it('are an empty list on a run without any, so that an expression may ask for them', () => {
    const none = { fields: { labels: {} }, attributes: { 'ductor.correlation_labels': [] }, rows: [] };
    expect(start({ from: 'trigger', fields: {} })).to.eql(none);
    expect(start({ from: 'child', run: runWith({}) })).to.eql(none);
  });

  it('pass from any other run to the one that it starts, unchanged', () => {
    const keys = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/);
    fc.assert(
      fc.property(fc.uniqueArray(keys, { maxLength: 16 }), (drawn) => {
        const admitted = start(sent(drawn.map((key) => label(key, `${key}-1`))));
        if ('refuse' in admitted || !admitted.fields) throw new Error('refused');
        const run = runWith(admitted.fields);
        const origins: readonly Origin[] = [
          ...(['child', 'deferred', 'continued'] as const).map((from) => ({ from, run })),
          { from: 'reset', run, sequence: 3, terminatesSource: false },
        ];
        for (const origin of origins) expect(start(origin)).to.eql(admitted);
      }),
      { numRuns: process.env.FULL === '1' ? 1_000 : 100 },
    );
  });

  it('pass on although a trigger could not send as many any more', () => {
    const labels = { a: '1', b: '2' };
    expect(start({ from: 'child', run: runWith({ labels }) }, 1)).to.deep.include({ fields: { labels } });
  });

  it('are at most as many as the options say', () => {
    const many = Array.from({ length: 17 }, (_, i) => label(`k${i}`));
    expect(refusedPaths(many.slice(1))).to.eql([]);
    expect(refusedPaths(many)).to.eql(['correlation_labels']);
    expect(refusedPaths(many.slice(0, 3), 2)).to.eql(['correlation_labels']);
  });

  it('have keys that an expression can name, each once', () => {
    expect(refusedPaths([label('a'), label('z9_'), label(`a${'b'.repeat(62)}`)])).to.eql([]);
    for (const key of ['', 'A', '9a', '_a', 'a-b', 'a.b', 'ä', `a${'b'.repeat(63)}`, 'a\n', '__proto__']) {
      expect(refusedPaths([label(key)]), key).to.eql(['correlation_labels[0].key']);
    }
    expect(refusedPaths([label('a', '1'), label('b'), label('a', '2')])).to.eql(['correlation_labels[2].key']);
  });

  it('have ids of 1 to 256 characters, whatever these are', () => {
    expect(refusedPaths([label('a', `x') OR 1=1 --%_`), label('b', '😀'.repeat(256))])).to.eql([]);
    expect(refusedPaths([label('a', ''), label('b', '😀'.repeat(257))])).to.eql([
      'correlation_labels[0].id',
      'correlation_labels[1].id',
    ]);
  });

  it('are refused with everything that is wrong with them', () => {
    expect(refusedPaths([label('A', ''), label('b'), label('b')], 2)).to.eql([
      'correlation_labels',
      'correlation_labels[0].key',
      'correlation_labels[0].id',
      'correlation_labels[2].key',
    ]);
  });
});
