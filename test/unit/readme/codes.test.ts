import { expect } from 'chai';
import type { ErrorCode } from '#core/errors.js';
import { codesIn, readReadme, rowsOf } from '../../support/readme.ts';
import { codesOf, sourcesBelow } from '../../support/source-codes.ts';

const http = readReadme('host/http/README.md');
const READMES = [http, ...['core/definition/README.md', 'core/run/README.md'].map(readReadme)];

/** What a host says as it starts, and a command on its machine, is said in whole sentences. */
const AT_THE_START = /^host\/(boot|cli|config|doctor|backup|embedded)\/|^host\/pool\/manifest\.ts$/;
/** Examples have codes of their authors. */
const NO_CODES = /\.examples\.ts$/;

/** Complete with their statuses, as the compiler sees to it. */
const STATUSES: { readonly [Code in ErrorCode]: number } = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  failed_precondition: 409,
  conflict: 409,
  payload_too_large: 413,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
};

const documented = new Set(
  READMES.flatMap((text) =>
    ['code', 'reason'].flatMap((heading) => rowsOf(text, heading).flatMap(([codes = '']) => codesIn(codes))),
  ),
);
/** A plugin may say in its own README what is its own. */
const ownCodes = (file: string): readonly string[] => {
  const [folder, name = ''] = file.split('/');
  return folder === 'plugins' ? codesIn(readReadme(`plugins/${name}/README.md`)) : [];
};
const sources = [...sourcesBelow('core', 'host', 'plugins')].filter(
  ([file]) => !AT_THE_START.test(file) && !NO_CODES.test(file),
);

describe('the tables of codes', () => {
  it('have every error of the API with its status', () => {
    const rows = rowsOf(http, 'code').filter(([, status = '']) => /^\d+$/.test(status));
    const written = rows.map(([code = '', status]) => [codesIn(code)[0], Number(status)]);
    expect(Object.fromEntries(written)).to.deep.equal(STATUSES);
  });

  it('have every code that the sources name', () => {
    const missing = sources.flatMap(([file, text]) =>
      [...codesOf(text)]
        .filter((code) => !documented.has(code) && !ownCodes(file).includes(code))
        .map((code) => `${code} (${file})`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('have no code that the sources know nothing of', () => {
    const all = sources.map(([, text]) => text).join('\n');
    // `too_many_steps` is put together from `too_many_` and a word.
    const isKnown = (code: string): boolean =>
      all.includes(`'${code}'`) || new RegExp(`^\\s+${code}: \\{`, 'm').test(all) || isPutTogether(code);
    const isPutTogether = (code: string): boolean => {
      const words = code.split('_');
      return words.slice(1).some((_, index) => all.includes(`${words.slice(0, index + 1).join('_')}_\${`));
    };
    expect([...documented].filter((code) => !isKnown(code))).to.deep.equal([]);
  });

  it('say what to do', () => {
    for (const text of READMES) {
      for (const row of rowsOf(text, 'code')) {
        if (!row.some((cell) => cell.startsWith('warning:'))) expect(row.at(-1), row[0]).to.not.equal('');
      }
    }
  });

  it('name the party that a failure has', () => {
    const written = new Map(
      rowsOf(readReadme('core/run/README.md'), 'code').flatMap(([codes = '', party = '']) =>
        codesIn(codes).map((code) => [code, codesIn(party)] as const),
      ),
    );
    const said = sources.flatMap(([file, text]) =>
      [...text.matchAll(/code: '([a-z_]+)',[^{}]{0,120}?party: '(\w+)'/gs)].map(([, code = '', party = '']) => ({
        file,
        code,
        party,
      })),
    );
    expect(said.length).to.be.greaterThan(8);
    const wrong = said.filter(
      ({ file, code, party }) => !written.get(code)?.includes(party) && !ownCodes(file).includes(code),
    );
    expect(wrong).to.deep.equal([]);
  });
});

describe('READMEs of connectors', () => {
  it('have the codes that their actions fail with', () => {
    const missing = [...sourcesBelow('connectors')].flatMap(([file, text]) => {
      const [, folder = ''] = file.split('/');
      if (folder === 'sdk') return [];
      const readme = readReadme(`connectors/${folder}/README.md`);
      return [...text.matchAll(/new ActionError\('([a-z_]+)'/g)]
        .map(([, code = '']) => code)
        .filter((code) => !codesIn(readme).includes(code));
    });
    expect(missing).to.deep.equal([]);
  });
});
