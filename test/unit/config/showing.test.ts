import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { announce } from '#host/config/announce.js';
import { hidePassword, hideSecrets } from '#host/config/hide-secrets.js';
import { loadConfig } from '#host/config/load-config.js';
import { nearest } from '#host/config/nearest.js';
import { redacted } from '#host/config/redacted.js';
import { componentLog, createLog } from '#host/log.js';

const masterKey = randomBytes(32).toString('base64');
const apiKey = `operator-${'k'.repeat(32)}`;
const env = {
  DATABASE_URL: 'postgres://ductor:hunter2@db:5432/ductor?application_name=x',
  REDIS_URL: 'redis://:hunter2@cache:6379',
  DUCTOR_MASTER_KEY: masterKey,
  DUCTOR_BOOTSTRAP_API_KEY: apiKey,
};
const config = { ...(await loadConfig({ argv: {}, env, cwd: '/' })) };

/** Runs `say` with a log, and answers with its lines, parsed. */
function linesOf(say: (log: ReturnType<typeof createLog>) => void): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  say(createLog({ level: 'info', destination: { write: (line) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line));
}

describe('what is shown of the configuration', () => {
  it('has no secret in it', () => {
    const setting = { enabled: true, options: { sink: { url: 's3://x', api_key: 'hunter2' } }, version: null } as const;
    const shown = redacted({ ...config, plugins: new Map([['audit', setting]]) });
    const text = JSON.stringify(shown);
    for (const secret of ['hunter2', masterKey, apiKey]) expect(text).not.to.contain(secret);
    expect(shown).to.deep.include({ mode: 'production', master_key: '[hidden]' });
    expect(text).to.contain('postgres://ductor:hidden@db:5432/ductor').and.contain('s3://x');
  });

  it('is logged at the start, with a word about what has no effect', () => {
    const lines = linesOf((log) => announce(config, log));
    expect(lines.map(({ level }) => level)).to.eql(['info', 'warn']);
    expect(lines[1]?.msg).to.equal('accepted, not acted on yet: redis.url');
    expect(JSON.stringify(lines)).not.to.contain('hunter2');
    expect(linesOf((log) => announce({ ...config, notActedOn: [] }, log))).to.have.length(1);
  });
});

describe('the log', () => {
  it('is a JSON line for each entry, from the level that is set on', () => {
    const [line, ...others] = linesOf((log) => {
      componentLog(log, 'boot').info({ plugins: 3 }, 'loaded');
      log.debug('not shown');
    });
    expect(others).to.eql([]);
    const { time, ...rest } = line ?? {};
    expect(rest).to.eql({ level: 'info', component: 'boot', plugins: 3, msg: 'loaded' });
    expect(new Date(String(time)).toISOString()).to.equal(time);
  });

  it('hides fields that are named like secrets, at any depth and in any spelling', () => {
    const error = Object.assign(new Error('refused'), { apiKey: 'hunter2', status: 401 });
    const [line] = linesOf((log) =>
      log.info({
        headers: { Authorization: 'Bearer hunter2', 'X-API-Key': 'hunter2', accept: '*/*' },
        deep: [{ er: { client_secret: 'hunter2', keys: 2 } }],
        key: 'hunter2',
        password: null,
        err: error,
      }),
    );
    expect(JSON.stringify(line)).not.to.contain('hunter2');
    expect(line).to.deep.include({ deep: [{ er: { client_secret: '[hidden]', keys: 2 } }], password: null });
    expect(line?.err).to.include({ message: 'refused', status: 401, apiKey: '[hidden]' });
  });

  it('leaves what it was given as it is', () => {
    const given = { a: { token: 'x' }, b: { c: 1 } };
    expect(hideSecrets(given)).to.eql({ a: { token: '[hidden]' }, b: { c: 1 } });
    expect(given.a.token).to.equal('x');
    expect(hideSecrets(given.b)).to.equal(given.b);
  });
});

describe('a password in a URL', () => {
  it('is hidden wherever it stands', () => {
    expect(hidePassword('postgres://a:b@%2Ftmp%2Fx/db')).to.equal('postgres://a:hidden@%2Ftmp%2Fx/db');
    expect(hidePassword('postgres://h/db?password=b&x=1')).to.equal('postgres://h/db?password=hidden&x=1');
    expect(hidePassword('no url')).to.equal('no url');
  });
});

describe('a mistyped word', () => {
  it('has the word near it suggested, and none that is far', () => {
    expect(nearest('sever', ['database', 'server'])).to.equal('server');
    expect(nearest('Prot', ['port', 'host'])).to.equal('port');
    expect(nearest('retention', ['redis', 'mode'])).to.equal(null);
    expect(nearest('', ['mode'])).to.equal(null);
  });
});
