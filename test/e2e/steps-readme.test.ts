import { expect } from 'chai';
import { startTestHost, type TestHost } from '../support/host.ts';
import { blocksOf, codesIn, readReadme, sectionsOf } from '../support/readme.ts';
import { until } from '../support/until.ts';

interface Example {
  readonly section: string;
  /** Bodies of `POST /api/workflow-definitions`. */
  readonly definition: { readonly family_slug: string; readonly title: string };
  readonly requests: readonly Request[];
  /** Part of what the last request answers. */
  readonly answer: unknown;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
}

const sections = new Map([
  ...sectionsOf(readReadme('core/steps/README.md')),
  ...[...sectionsOf(readReadme('plugins/event-sets/README.md'))].filter(([title]) => title.startsWith('STEP_TYPE_')),
  ...sectionsOf(readReadme('plugins/saga/README.md')),
]);

/** Each is three blocks: a definition, requests, an answer. */
const examples = [...sections].flatMap(([section, text]): readonly Example[] => {
  const blocks = blocksOf(text);
  return Array.from({ length: blocks.length / 3 }, (_, index) => {
    const [definition, requests, answer] = blocks.slice(3 * index, 3 * index + 3);
    return {
      section,
      definition: JSON.parse(definition?.content ?? ''),
      requests: requestsIn(requests?.content ?? ''),
      answer: JSON.parse(answer?.content ?? ''),
    };
  });
});

function requestsIn(text: string): readonly Request[] {
  return text
    .trim()
    .split('\n\n')
    .map((request) => {
      const [line = '', ...body] = request.split('\n');
      const [method = '', path = ''] = line.split(' ');
      return { method, path, body: body.length > 0 ? body.join('\n') : null };
    });
}

/** Whether `found` says all of `wanted`, and maybe more. */
function includes(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null || Array.isArray(found) !== Array.isArray(wanted)) return false;
  return Object.entries(wanted).every(([name, value]) => includes(Reflect.get(found, name), value));
}

describe('The READMEs of step types', function () {
  this.timeout(60_000);
  let host: TestHost;

  before(async () => {
    host = await startTestHost();
    for (const { definition } of examples) {
      const { family_slug, title } = definition;
      const created = await host.call('POST', '/api/workflow-definitions', definition);
      expect(created.status, `${title}: ${JSON.stringify(created.body)}`).to.equal(200);
      const published = await host.call('POST', `/api/workflow-definitions/${family_slug}/publish`);
      expect(published.status, `${title}: ${JSON.stringify(published.body)}`).to.equal(200);
      expect(published.body.warnings ?? [], title).to.deep.equal([]);
    }
  });

  after(() => host.stop());

  const whyOf = async (runId: string): Promise<readonly string[]> => {
    const path = `/api/v2/workflow-runs/${runId}/why`;
    const { body } = await host.call<{ status: string; reasons: { code: string }[] }>('GET', path);
    return body.status === 'waiting' ? body.reasons.map(({ code }) => code) : [];
  };

  for (const { section, definition, requests, answer } of examples) {
    it(`${section}: ${definition.title}`, async () => {
      let runId = '';
      let found: unknown;
      const told = (text: string) => text.replaceAll('{run_id}', runId).replaceAll('http://127.0.0.1:8080', host.url);
      const reasons = codesIn(/`why` says ([^.]*)\./.exec(sections.get(section) ?? '')?.[1] ?? '');
      for (const { method, path, body } of requests) {
        const isTrigger = path.endsWith(':trigger');
        // What comes from outside is for a step that waits, and says why.
        if (method === 'POST' && !isTrigger) {
          const codes = await until(async () => {
            const now = await whyOf(runId);
            return now.length > 0 && now;
          }, `run ${runId} to wait`);
          expect(reasons).to.include(codes[0]);
        }
        const call = async () => {
          const { status, body: given } = await host.call(
            method,
            told(path),
            body === null ? undefined : JSON.parse(told(body)),
          );
          expect(status, JSON.stringify(given)).to.equal(200);
          found = given;
          return given;
        };
        if (method === 'GET') {
          const wanted = JSON.parse(told(JSON.stringify(answer)));
          await until(async () => includes(await call(), wanted), 'the answer', 10_000).catch(() => undefined);
          expect(includes(found, wanted), JSON.stringify(found)).to.equal(true);
        } else if (isTrigger) runId = String((await call()).run_id);
        else await call();
      }
      expect(includes(found, JSON.parse(told(JSON.stringify(answer)))), JSON.stringify(found)).to.equal(true);
    });
  }

  it('has an example of every type', () => {
    const types = [...sections.keys()].filter((title) => title.startsWith('STEP_TYPE_'));
    expect(types.length).to.be.greaterThan(10);
    expect(examples.map(({ section }) => section)).to.include.members(types);
  });
});
