// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript’s

import { type AnyStepType, defineField, defineStep, isSlug, isStepRef, template } from '@ductor/core';
import { expect } from 'chai';
import { checked, codesOf, context, draftOf, edge, problemsOf, value, vocabularyWith } from './helpers.js';

const list = (more: object = {}) => ({
  ref: 'list',
  type: 'ACTION',
  action: 'acme.billing.list_due',
  args: { day: '${input.day}' },
  ...more,
});

describe('publish checks', () => {
  describe('of refs and slugs', () => {
    it('know what a slug and a ref are, and change nothing to make one', () => {
      for (const slug of ['a', '0', 'settle-invoices', 'a'.repeat(63)]) expect(isSlug(slug), slug).to.equal(true);
      for (const slug of [
        '',
        '-a',
        'A',
        'a_b',
        'a b',
        '営業',
        '🚀',
        'caf\u00e9',
        'cafe\u0301',
        'a'.repeat(64),
        'a\n',
      ]) {
        expect(isSlug(slug), slug).to.equal(false);
      }
      for (const ref of ['manager-approval', 'each_invoice', 'A1']) expect(isStepRef(ref), ref).to.equal(true);
      for (const ref of ['', '1a', '_a', 'a.b', 'a b', 'é', 'a'.repeat(64)])
        expect(isStepRef(ref), ref).to.equal(false);
    });

    it('find refs that are none or are there twice', () => {
      expect(codesOf(problemsOf(draftOf([value('a'), value('a'), value('no.ref')])))).to.deep.equal([
        'graph.steps[1].ref: duplicate_ref',
        'graph.steps[2].ref: invalid_ref',
      ]);
    });
  });

  describe('of steps', () => {
    it('name an unknown field and those that there are', () => {
      const [problem, ...others] = problemsOf(draftOf([{ ref: 'a', type: 'STOP', ouput: 1 }]));
      expect(others).to.deep.equal([]);
      expect(problem).to.deep.include({ path: 'graph.steps[0].ouput', code: 'unknown_field' });
      expect(problem?.allowed).to.include.members([
        'output',
        'ref',
        'type',
        'title',
        'timeout',
        'retry',
        'join',
        'effects',
      ]);
    });

    it('look into what a field holds', () => {
      const rule = {
        ref: 'a',
        type: 'RULE',
        rules: [{ when: 'true', value: 1, els: 2 }, { when: 'true' }],
        hit_policy: 'last',
      };
      const retry = { ...value('b'), retry: { max_attempts: 0 }, timeout: 'P1M', join: 'some' };
      expect(codesOf(problemsOf(draftOf([rule, retry])))).to.have.members([
        'graph.steps[0].rules[0].els: unknown_field',
        'graph.steps[0].rules[1].value: required',
        'graph.steps[0].hit_policy: not_allowed',
        'graph.steps[1].retry.max_attempts: invalid_value',
        'graph.steps[1].timeout: wrong_form',
        'graph.steps[1].join: not_allowed',
      ]);
    });

    it('say of a choice what is wrong in the form that was meant', () => {
      const timeout = (written: object | number) => problemsOf(draftOf([{ ...value('a'), timeout: written as never }]));
      expect(timeout({ start_to_close: 'PT1S', schedule_to_close: 'P1D' })).to.deep.equal([]);
      expect(codesOf(timeout({ heartbeat: '5 s', begin: 'PT1S' }))).to.have.members([
        'graph.steps[0].timeout.heartbeat: wrong_form',
        'graph.steps[0].timeout.begin: unknown_field',
      ]);
      expect(timeout(5)).to.deep.equal([
        { path: 'graph.steps[0].timeout', code: 'wrong_type', message: 'A string or an object is needed.' },
      ]);
    });

    it('name the plugin that a step type comes with, if it is off', () => {
      const draft = draftOf([
        { ref: 'a', type: 'UNDO' },
        { ref: 'b', type: 'NOPE' },
      ]);
      const [off, unknown] = problemsOf(draft, {
        vocabulary: vocabularyWith({ disabled: { STEP_TYPE_UNDO: 'saga' } }),
      });
      expect(off).to.deep.include({ path: 'graph.steps[0].type', code: 'plugin_missing' });
      expect(off?.message).to.contain("'saga'");
      expect(unknown).to.deep.include({ path: 'graph.steps[1].type', code: 'unknown_step_type' });
      expect(unknown?.allowed).to.include('STEP_TYPE_ACTION');
    });

    it('refuse a limit on concurrency, saying that there is none yet', () => {
      const problems = problemsOf(draftOf([{ ...value('a'), concurrency: { key: 'x', limit: 1 } }]));
      expect(codesOf(problems)).to.deep.equal(['graph.steps[0].concurrency: unsupported']);
    });

    it('refuse to write attributes of the engine', () => {
      const step = { ...value('a'), effects: { attributes: { 'ductor.x': 1, mine: 2 }, context: '${output}' } };
      expect(codesOf(problemsOf(draftOf([step])))).to.deep.equal([
        'graph.steps[0].effects.attributes["ductor.x"]: reserved_attribute',
      ]);
    });

    it('ask the step type and the plugins’ fields, below the path of each', () => {
      const picky: AnyStepType = defineStep({
        type: 'STEP_TYPE_PICKY',
        schema: { type: 'object', properties: { n: { type: 'integer' } } },
        check: ({ n }) => (n === 1 ? [] : [{ path: 'n', code: 'not_one', message: 'It is not 1.' }]),
        start: () => ({ to: 'completed', outcome: 'SUCCESS', output: null }),
      });
      const owner = defineField({
        of: 'step',
        name: 'owner',
        schema: {
          type: 'object',
          required: ['team'],
          properties: { team: { type: 'string' }, note: template({}, 'output') },
        },
        check: ({ team }) => (team === 'red' ? [{ path: 'team', code: 'no_red', message: 'Not red.' }] : []),
      });
      const price = defineField({ of: 'settings', name: 'price', schema: { type: 'integer' } });
      const vocabulary = vocabularyWith({ types: [picky], fields: [owner, price] });
      const draft = draftOf(
        [
          { ref: 'a', type: 'PICKY', n: 2, owner: { team: 'red', note: '${output.x}' } },
          { ...value('b'), owner: { team: 1, note: '${nothing}' } },
        ],
        [],
        { settings: { price: 'high' } },
      );
      expect(codesOf(problemsOf(draft, { vocabulary }))).to.have.members([
        'graph.steps[0].n: not_one',
        'graph.steps[0].owner.team: no_red',
        'graph.steps[1].owner.team: wrong_type',
        'graph.steps[1].owner.note: unknown_variable',
        'settings.price: wrong_type',
      ]);
    });
  });

  describe('of edges', () => {
    it('let go only what their source can do', () => {
      const steps = [{ ref: 'c', type: 'CONDITION', expression: 'true' }, value('a'), { ref: 'stop', type: 'STOP' }];
      const [mismatch, ended, ...others] = problemsOf(
        draftOf(steps, [
          edge('c', 'a'),
          edge('c', 'stop', 'FALSE'),
          edge('c', 'stop', 'ERROR'),
          edge('stop', 'a', 'ALWAYS'),
        ]),
      );
      expect(others).to.deep.equal([]);
      expect(mismatch).to.deep.equal({
        path: 'graph.edges[0].type',
        code: 'edge_type_mismatch',
        message: "'c' has no SUCCESS edge.",
        allowed: ['TRUE', 'FALSE', 'ERROR', 'ALWAYS'],
      });
      expect(ended).to.deep.include({ path: 'graph.edges[3].type', code: 'edge_type_mismatch', allowed: [] });
    });

    it('are of TIMEOUT where the source runs or waits, and not where it ends at once', () => {
      const waits = defineStep({
        type: 'STEP_TYPE_WAITS',
        schema: { type: 'object' },
        start: ({ after }) => ({ to: 'waiting', memo: null, wait: { kind: 'timer', wakeAt: after(1) } }),
      });
      const steps = [
        list({ ref: 'action', args: { day: '2025-01-31' } }),
        { ref: 'rule', type: 'RULE', rules: [{ when: 'true', value: 1 }] },
        { ref: 'waits', type: 'WAITS' },
        value('transform'),
        { ref: 'condition', type: 'CONDITION', expression: 'true' },
        { ref: 'switch', type: 'SWITCH', expression: '1' },
        { ref: 'checkpoint', type: 'CHECKPOINT', name: 'seen' },
        value('late'),
      ];
      const edges = steps.slice(0, -1).map(({ ref }) => edge(ref, 'late', 'TIMEOUT'));
      const problems = problemsOf(draftOf(steps, edges), { vocabulary: vocabularyWith({ types: [waits] }) });
      expect(codesOf(problems)).to.deep.equal(
        [3, 4, 5, 6].map((index) => `graph.edges[${index}].type: edge_type_mismatch`),
      );
    });

    it('have a case exactly where they are CASE, are there once and join steps that there are', () => {
      const steps = [{ ref: 's', type: 'SWITCH', expression: 'input' }, value('a'), value('b')];
      const edges = [
        edge('s', 'a', 'CASE', { case: 'x' }),
        edge('s', 'a', 'CASE', { case: 'x' }),
        edge('s', 'a', 'CASE'),
        edge('s', 'b', 'DEFAULT', { case: 'y' }),
        edge('s', 'gone', 'DEFAULT'),
      ];
      expect(codesOf(problemsOf(draftOf(steps, edges)))).to.have.members([
        'graph.edges[1]: duplicate_edge',
        'graph.edges[2].case: required',
        'graph.edges[3].case: unexpected_case',
        'graph.edges[4].to: unknown_step',
      ]);
    });
  });

  describe('of expressions', () => {
    it('find what is wrong wherever a schema marks one, by its place in the text', () => {
      const draft = draftOf(
        [
          { ref: 'manager-approval', type: 'TRANSFORM', value: { deep: ['ok', 'No. ${input.nope}'] } },
          { ref: 'c', type: 'CONDITION', expression: 'size(steps.manager-approval.output)' },
          { ref: 'r', type: 'RULE', rules: [{ when: '1 +', value: '${item}' }] },
        ],
        [edge('manager-approval', 'c'), edge('c', 'r', 'TRUE', { condition: 'steps.c.output + 1' })],
        { output: '${steps.z.output}', settings: { input_schema: { type: 'object', additionalProperties: false } } },
      );
      const problems = problemsOf(draft);
      expect(codesOf(problems)).to.include.members([
        'graph.steps[0].value.deep[1]: unknown_field',
        'graph.steps[1].expression: unknown_step',
        'graph.steps[2].rules[0].when: syntax_error',
        'graph.steps[2].rules[0].value: unknown_variable',
        'graph.edges[1].condition: wrong_type',
        'graph.output: unknown_step',
      ]);
      const hint = problems.find(({ path }) => path === 'graph.steps[1].expression');
      expect(hint?.message).to.contain('steps["manager-approval"]');
      expect(hint?.position).to.deep.equal({ line: 1, column: 12 });
    });

    it('know what an action yields, what a run has, and that a condition sees the output', () => {
      const draft = draftOf(
        [list(), value('a', '${steps.list.output.totl}'), value('b', '${run.nwo}')],
        [edge('list', 'a', 'SUCCESS', { condition: 'output.total > 5 && output.nope' }), edge('a', 'b')],
        { settings: { input_schema: { type: 'object' } } },
      );
      expect(codesOf(problemsOf(draft))).to.have.members([
        'graph.steps[1].value: unknown_field',
        'graph.steps[2].value: unknown_field',
        'graph.edges[0].condition: unknown_field',
      ]);
    });

    it('know what an event is, in a step and in a trigger of settings', () => {
      const event = {
        event_name: 'paid',
        correlation_key: 'input.id',
        match: 'event.amount > 1 && event.payload.amount > 1',
      };
      const triggers = [{ event_name: 'paid', condition: 'event.amount > 1', input: { id: '${event.payload.id}' } }];
      const problems = problemsOf(draftOf([{ ref: 'w', type: 'WAIT', event }], [], { settings: { triggers } }));
      expect(codesOf(problems)).to.have.members([
        'graph.steps[0].event.match: unknown_field',
        'settings.triggers[0].condition: unknown_field',
      ]);
    });

    it('see `output` in effects and nowhere before', () => {
      const step = { ...value('a', '${output}'), effects: { context: { last: '${output}' } } };
      expect(codesOf(problemsOf(draftOf([step])))).to.deep.equal(['graph.steps[0].value: unknown_variable']);
    });

    it('tell that a template yields another kind than is needed', () => {
      const step = { ...value('a'), effects: { context: 'text', attributes: '${output}' } };
      expect(codesOf(problemsOf(draftOf([step])))).to.deep.equal(['graph.steps[0].effects.context: wrong_type']);
    });

    it('warn of a step that cannot have ended by then', () => {
      const draft = draftOf(
        [
          value('a', '${steps.b.output}'),
          value('b', '${steps.a.output}'),
          value('c', '${steps.b.output} ${steps.c.output}'),
        ],
        [edge('a', 'b', 'SUCCESS', { condition: 'steps.a.output == null || steps.b.output == null' })],
      );
      const { problems, warnings } = checked(draft);
      expect(problems).to.deep.equal([]);
      expect(codesOf(warnings)).to.have.members([
        'graph.steps[0].value: not_before',
        'graph.steps[2].value: not_before',
        'graph.steps[2].value: not_before',
        'graph.edges[0].condition: not_before',
      ]);
    });
  });

  describe('of actions', () => {
    it('pin the newest connector in the range, and keep what the engine must know of the action', () => {
      const { problems, connectors, actions } = checked(
        draftOf([list({ credential: 'billing-prod' })], [], { settings: { connectors: { 'acme.billing': '^1.3' } } }),
      );
      expect(problems).to.deep.equal([]);
      expect(connectors).to.deep.equal([
        { id: 'acme.billing', package: '@acme/acme-billing', version: '1.4.2', integrity: 'sha512-1.4.2' },
      ]);
      expect(actions).to.deep.equal({
        'acme.billing.list_due': {
          effect: 'read',
          idempotency: 'none',
          timeoutMs: 20_000,
          heartbeatMs: 5_000,
          retry: { maxAttempts: 7 },
        },
      });
      expect(checked(draftOf([list()])).connectors[0]?.version).to.equal('2.0.0');
    });

    it('name connectors, versions, actions and credentials that are not there', () => {
      const steps = [
        list({ action: 'acme.biling.list_due' }),
        list({ ref: 'b', action: 'acme.billing.list' }),
        list({ ref: 'c', action: 'list' }),
        list({ ref: 'd', credential: 'other' }),
      ];
      const problems = problemsOf(draftOf(steps, [], { settings: { connectors: { http: '1.x' } } }));
      expect(codesOf(problems)).to.have.members([
        'settings.connectors.http: unknown_connector',
        'graph.steps[0].action: unknown_connector',
        'graph.steps[1].action: unknown_action',
        'graph.steps[2].action: unknown_connector',
        'graph.steps[3].credential: unknown_credential',
      ]);
      expect(problems.find(({ code }) => code === 'unknown_action')?.allowed).to.deep.equal(['acme.billing.list_due']);
    });

    it('say of a credential whether it is one that the action takes, and whether it needs one', () => {
      const credentials = new Map([
        ['token', { connector: 'acme.billing', auth: 'token' }],
        ['basic', { connector: 'acme.billing', auth: 'basic' }],
        ['mail', { connector: 'acme.mail', auth: 'token' }],
      ]);
      const of = (credential: string | undefined, taken: { kinds: readonly string[]; required: boolean }) => {
        const found = context().actions.find('acme.billing', null);
        const action = found?.actions.get('list_due');
        if (!found || !action) throw new Error('the catalogue has no list_due');
        const actions = new Map([['list_due', { ...action, credential: taken }]]);
        return problemsOf(draftOf([list(credential === undefined ? {} : { credential })]), {
          credentials,
          actions: { find: () => ({ ...found, actions }), ids: () => [] },
        });
      };
      const takes = { kinds: ['token'], required: false };
      expect(of('token', takes)).to.deep.equal([]);
      expect(of(undefined, takes)).to.deep.equal([]);
      for (const unfit of ['basic', 'mail']) {
        const [problem] = of(unfit, takes);
        expect(problem).to.include({ path: 'graph.steps[0].credential', code: 'unfit_credential' });
        expect(problem?.allowed).to.deep.equal(['token']);
      }
      expect(codesOf(of(undefined, { ...takes, required: true }))).to.eql(['graph.steps[0].credential: required']);
      expect(codesOf(of('token', { kinds: [], required: false }))).to.eql([
        'graph.steps[0].credential: unfit_credential',
      ]);
    });

    it('name the newest version when none fits the range', () => {
      const problems = problemsOf(draftOf([list()], [], { settings: { connectors: { 'acme.billing': '^3' } } }));
      expect(codesOf(problems)).to.have.members([
        'settings.connectors["acme.billing"]: connector_version',
        'graph.steps[0].action: connector_version',
      ]);
      expect(problems[0]?.message).to.contain('2.0.0');
    });

    it('hold what is constant in the arguments against the schema, and wait for the rest', () => {
      const args = (written: object) => codesOf(problemsOf(draftOf([list({ args: written })])));
      const at = (path: string, code: string) => [`graph.steps[0].args${path}: ${code}`];
      expect(args({})).to.deep.equal(at('.day', 'required'));
      expect(args({ day: 'today' })).to.deep.equal(at('.day', 'wrong_form'));
      expect(args({ day: '${input.day}', limit: 'No. ${input.n}' })).to.deep.equal(at('.limit', 'wrong_type'));
      expect(args({ day: '20${input.year}-01-01', limit: '${input.n}' })).to.deep.equal([]);
      expect(args({ day: '$${input}', dya: 1 })).to.have.members([
        ...at('.day', 'wrong_form'),
        ...at('.dya', 'unknown_field'),
      ]);
      expect(args({ day: '${input.d}', order: { by: '${input.by}' } })).to.deep.equal([]);
      expect(args({ day: '${input.d}', order: { by: 'x' } })).to.deep.equal(at('.order.by', 'wrong_type'));
      expect(args({ day: '${input.d}', tags: ['${input.a}', '${input.a}', 'ab'] })).to.deep.equal(
        at('.tags[2]', 'invalid_value'),
      );
    });
  });

  describe('of settings', () => {
    it('know their words and values', () => {
      const settings = {
        failure_policy: 'never',
        run_timeout: '7 days',
        cancel_grace: 'PT30S',
        connectors: { 'acme.billing': 1 },
        schedul: {},
        input_schema: { type: 'strin' },
      };
      expect(codesOf(problemsOf(draftOf([value('a')], [], { settings: settings as never })))).to.have.members([
        'settings.failure_policy: not_allowed',
        'settings.run_timeout: wrong_form',
        'settings.connectors["acme.billing"]: wrong_type',
        'settings.schedul: unknown_field',
        'settings.input_schema.type: invalid_schema',
      ]);
    });

    it('refuse a limit on transitions, saying that there is none yet', () => {
      for (const max_transitions of [500, 0, null]) {
        const problems = problemsOf(draftOf([value('a')], [], { settings: { max_transitions } }));
        expect(codesOf(problems)).to.deep.equal(['settings.max_transitions: unsupported']);
      }
    });
  });

  it('name every problem of every kind in one answer', () => {
    const problems = problemsOf(
      draftOf([{ ref: 'a', type: 'NOPE' }, value('a', '${x}'), list({ args: {} })], [edge('a', 'z')], {
        outptu: 1,
        settings: { run_timeout: 1 },
      }),
    );
    expect(new Set(problems.map(({ code }) => code))).to.deep.equal(
      new Set([
        'duplicate_ref',
        'unknown_step_type',
        'unknown_step',
        'unknown_field',
        'wrong_type',
        'required',
        'unknown_variable',
      ]),
    );
  });
});
