import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { ductor, type Ended, type RunOptions, startTestHost, type TestHost } from './cli-support.ts';

const greet = `
family_slug: greet
title: Greet
graph:
  steps:
    - ref: text
      type: TRANSFORM
      value: Hello \${input.name}
    - ref: greeted
      type: CHECKPOINT
      name: greeted
      reply: { text: "\${steps.text.output}" }
    - ref: is_known
      type: CONDITION
      expression: input.name != 'nobody'
    - { ref: unknown, type: FAIL, code: unknown_name, message: "Who is \${input.name}?" }
  edges:
    - { from: text, to: greeted, type: SUCCESS }
    - { from: greeted, to: is_known, type: SUCCESS }
    - { from: is_known, to: unknown, type: "FALSE" }
settings:
  input_schema: { type: object, required: [name] }
`;

describe('ductor, the command line', function () {
  this.timeout(60_000);
  let host: TestHost;
  let folder: string;
  /** Takes requests and never answers. */
  let silent: Server;

  before(async () => {
    host = await startTestHost();
    folder = await mkdtemp(join(tmpdir(), 'ductor-cli-'));
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    await file('greet.yaml', greet);
    const applied = await cli(['definition', 'apply', 'greet.yaml', '--publish']);
    expect(applied).to.include({ code: 0, stderr: '' });
    expect(applied.stdout).to.include('greet: draft created (revision 1)').and.include('version 1 published');
  });

  after(async () => {
    silent.closeAllConnections();
    silent.close();
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const cli = (args: readonly string[], { env = {}, ...options }: RunOptions = {}): Promise<Ended> =>
    ductor(args, { cwd: folder, env: { ...host.env, ...env }, ...options });

  const json = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await cli([...args, '--json']);
    expect(stderr).to.equal('');
    return { code, answer: JSON.parse(stdout) };
  };

  /** Where nobody listens. */
  async function closedPort(): Promise<string> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return `http://127.0.0.1:${port}`;
  }

  async function file(name: string, text: string): Promise<void> {
    await writeFile(join(folder, name), text);
  }

  describe('definition', () => {
    it('makes no new version of what is published, and one of what differs', async () => {
      const { answer: first } = await json(['definition', 'apply', 'greet.yaml', '--publish']);
      expect(first).to.include({ change: 'unchanged', new_version: false });
      expect(first.version.version).to.equal(1);

      await file('longer.yaml', `${greet}  run_timeout: PT1M\n`);
      const { answer: second } = await json(['definition', 'apply', 'longer.yaml', '--publish']);
      expect(second).to.include({ change: 'updated', new_version: true });
      expect(second.version.settings).to.include({ run_timeout: 'PT1M' });

      // The file is the whole definition: what it leaves out is gone.
      const back = await cli(['definition', 'apply', 'greet.yaml', '--publish']);
      expect(back.stdout).to.include('draft updated').and.include('version 3 published');
    });

    it('prints a definition as a file that changes nothing when it is applied', async () => {
      const { stdout } = await cli(['definition', 'get', 'greet']);
      await file('got.yaml', stdout);
      expect((await cli(['definition', 'apply', 'got.yaml'])).stdout).to.include('draft unchanged');
      const list = await cli(['definition', 'list', '--status', 'draft']);
      expect(list.stdout)
        .to.match(/^SLUG +VERSION/)
        .and.include('greet');
    });

    it('names file, line and column of what the host refuses', async () => {
      await file('wrong.yaml', greet.replace('family_slug: greet', 'family_slug: wrong').replace("!= 'nobody'", '!='));
      const refused = await cli(['definition', 'apply', 'wrong.yaml', '--publish']);
      expect(refused).to.include({ code: 1, stdout: '' });
      expect(refused.stderr).to.include('wrong.yaml:15:7  graph.steps.2.expression: ');
    });

    it('names the place of a key that does not exist, and of what is no YAML', async () => {
      await file('typo.yaml', 'family_slug: typo\nsetings: {}\n');
      expect((await cli(['definition', 'apply', 'typo.yaml'])).stderr).to.equal(
        'error: typo.yaml:2:1  unknown key setings; did you mean settings?\n',
      );
      await file('broken.yaml', 'family_slug: broken\ngraph: [\n');
      expect(await cli(['definition', 'apply', 'broken.yaml']))
        .to.include({ code: 1 })
        .and.property('stderr')
        .match(/broken\.yaml:3:1/);
    });
  });

  describe('trigger', () => {
    it('waits for the reply of a checkpoint and prints it', async () => {
      const { code, stdout } = await cli(['trigger', 'greet', '--input', '{"name":"Ada"}', '--wait']);
      expect(code).to.equal(0);
      expect(stdout)
        .to.match(/^run [\da-f-]{36} (running|completed)\n/)
        .and.include('"text": "Hello Ada"');
    });

    it('reads its input from a file or stdin', async () => {
      await file('input.json', '{"name":"Bob"}');
      const fromFile = await json(['trigger', 'greet', '--input', '@input.json', '--checkpoint', 'greeted']);
      expect(fromFile.answer.response_group_output).to.deep.equal({ text: 'Hello Bob' });
      const piped = await cli(['trigger', 'greet', '--input', '@-', '--wait'], { input: '{"name":"Eve"}' });
      expect(piped.stdout).to.include('Hello Eve');
    });

    it('answers with the same run for the same key', async () => {
      const again = ['trigger', 'greet', '--input', '{"name":"Ada"}', '--key', 'k-1'];
      const first = await json(again);
      expect((await json(again)).answer.run_id).to.equal(first.answer.run_id);
      const other = await cli(['trigger', 'greet', '--input', '{"name":"Bob"}', '--key', 'k-1']);
      expect(other).to.include({ code: 1 }).and.property('stderr').include('(already_exists)');
    });

    it('names what the input lacks', async () => {
      const { code, stderr } = await cli(['trigger', 'greet']);
      expect(code).to.equal(1);
      expect(stderr).to.include('(invalid_argument)').and.include('input');
    });
  });

  describe('run', () => {
    it('is listed by label, shown, watched and explained', async () => {
      const { answer } = await json(['trigger', 'greet', '--input', '{"name":"Ada"}', '--label', 'order=o-1']);
      const watched = await cli(['run', 'watch', answer.run_id]);
      expect(watched.code).to.equal(0);
      expect(watched.stdout)
        .to.match(/Z {2}run completed\n/)
        .and.include('├─ ✔ text');
      const { answer: list } = await json([
        'run',
        'list',
        '--label',
        'order=o-1',
        '--type',
        'greet',
        '--status',
        'completed',
      ]);
      expect(list.items.map((run: { run_id: string }) => run.run_id)).to.deep.equal([answer.run_id]);
      const shown = await cli(['run', 'show', answer.run_id]);
      expect(shown.stdout)
        .to.match(/^greet v\d+ .* completed/)
        .and.include('○ unknown');
      expect((await cli(['run', 'why', answer.run_id])).stdout).to.include('it waits for nothing');
      expect((await cli(['run', 'list', '--label', 'order=o-1', '--active'])).stdout).to.equal('(none)\n');
    });

    it('that has failed ends its watch with 1', async () => {
      const { answer } = await json(['trigger', 'greet', '--input', '{"name":"nobody"}']);
      const { code, stdout } = await cli(['run', 'watch', answer.run_id, '--json']);
      expect(code).to.equal(1);
      const events = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(events.at(-1)).to.deep.include({ type: 'run', to: 'failed' });
      expect((await cli(['run', 'show', answer.run_id])).stdout).to.include('error: unknown_name: Who is nobody?');
    });
  });

  it('resolves an attempt whose outcome nobody knows', async () => {
    const { port } = silent.address() as AddressInfo;
    await file(
      'silent.json',
      JSON.stringify({
        family_slug: 'silent',
        graph: {
          steps: [
            {
              ref: 'ask',
              type: 'ACTION',
              action: 'http.request',
              args: { method: 'POST', url: `http://127.0.0.1:${port}` },
              timeout: 'PT0.2S',
              on_unknown: 'park',
            },
          ],
        },
      }),
    );
    expect((await cli(['definition', 'apply', 'silent.json', '--publish'])).code).to.equal(0);
    const { run_id } = (await json(['trigger', 'silent'])).answer;
    const attemptId = await until(async () => {
      const { ask } = (await json(['run', 'show', run_id])).answer.nodes;
      return ask?.status === 'waiting' ? String(ask.attempt_id) : null;
    }, 'the attempt to time out');
    expect((await cli(['run', 'why', run_id])).stdout).to.match(/ask +outcome unknown \(attempt 1\)/);
    const resolve = ['attempt', 'resolve', run_id, attemptId];
    expect((await cli([...resolve, '--as', 'failed', '--output', '1'])).code).to.equal(2);
    const resolved = await cli([...resolve, '--as', 'completed', '--output', '{"seen":true}', '--reason', 'looked']);
    expect(resolved)
      .to.include({ code: 0 })
      .and.property('stdout')
      .match(/^accepted/);
    expect((await cli(['run', 'watch', run_id])).code).to.equal(0);
    expect((await json(['run', 'show', run_id])).answer.output).to.deep.equal({ seen: true });
  });

  describe('exit codes', () => {
    it('are 2 for wrong usage, which says how', async () => {
      const wrong = await Promise.all([
        cli(['run', 'list', '--nonsense']),
        cli(['trigger', 'greet', '--input', '{']),
        cli(['trigger', 'greet', '--label', 'order']),
        cli(['attempt', 'resolve', 'a', 'b', '--as', 'maybe']),
        cli(['run', 'list'], { env: { DUCTOR_DATA_DIR: 'nowhere' } }),
        cli(['run', 'list'], { env: { DUCTOR_URL: 'nonsense' } }),
        cli(['run']),
      ]);
      expect(wrong.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2, 2, 2, 2]);
      const [option, input, label, as, key, url] = wrong.map(({ stderr }) => stderr);
      expect(option).to.include("unknown option '--nonsense'");
      expect(input).to.include('--input is no JSON');
      expect(label).to.include('Write it as key=id');
      expect(as).to.include('completed, failed, retry');
      expect(key).to.include('set DUCTOR_API_KEY');
      expect(url).to.include('DUCTOR_URL is nonsense');
    });

    it('are 1 for a refusal and 3 where nobody answers, and with --json the error is JSON on stderr', async () => {
      const [refused, missing, away] = await Promise.all([
        cli(['run', 'list', '--json'], { env: { DUCTOR_API_KEY: 'wrong' } }),
        cli(['run', 'why', '00000000-0000-7000-8000-000000000000']),
        cli(['run', 'list'], { env: { DUCTOR_URL: await closedPort() } }),
      ]);
      expect([refused.code, missing.code, away.code]).to.deep.equal([1, 1, 3]);
      expect(refused.stdout).to.equal('');
      expect(JSON.parse(refused.stderr).error).to.include({ code: 'unauthenticated' });
      expect(missing.stderr).to.include('(not_found)');
      expect(away.stderr)
        .to.match(/Nothing answers at .*ECONNREFUSED/)
        .and.include('ductor start');
    });

    it('are 0 for help, which is printed to stdout', async () => {
      const [all, one, version] = await Promise.all([cli(['--help']), cli(['trigger', '--help']), cli(['--version'])]);
      expect([all.code, one.code, version.code]).to.deep.equal([0, 0, 0]);
      expect(all.stdout).to.include('DUCTOR_URL').and.include('Exit codes');
      expect(one.stdout).to.include('--checkpoint <name>').and.include('--json');
      expect(version.stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    });
  });

  it('prints no colour where nobody sees it', async () => {
    const { stdout } = await cli(['run', 'list']);
    expect(stdout).to.not.include('\u001b');
  });

  it('makes a key in the database, which opens what its scopes say and no more', async () => {
    const create = ['api-key', 'create', '--name', 'reader', '--scopes', 'workflow:read'];
    const env = { DATABASE_URL: host.databaseUrl, DUCTOR_MODE: 'development' };
    const { code, stdout } = await cli([...create, '--json'], { env });
    expect(code).to.equal(0);
    const { key, scopes } = JSON.parse(stdout);
    expect(scopes).to.deep.equal(['workflow:read']);
    const reader = { env: { DUCTOR_API_KEY: key } };
    const [runs, definitions] = await Promise.all([cli(['run', 'list'], reader), cli(['definition', 'list'], reader)]);
    expect([runs.code, definitions.code]).to.deep.equal([0, 1]);
    expect(definitions.stderr).to.include('workflow_definition:read');
    const unknown = await cli(['api-key', 'create', '--name', 'x', '--scopes', 'everything'], { env });
    expect(unknown).to.include({ code: 1 }).and.property('stderr').include('allowed: workflow_definition:read');
  });
});
