import { expect } from 'chai';
import { codesIn, readReadme, rowsOf } from '../../support/readme.ts';
import { codesOf, sourcesBelow } from '../../support/source-codes.ts';

const http = readReadme('host/http/README.md');
const READMES = [http, ...['core/definition/README.md', 'core/run/README.md'].map(readReadme)];

/** What a host says as it starts, and a command on its machine, is said in whole sentences. */
const AT_THE_START = /^host\/(boot|cli|config|doctor|backup|embedded)\/|^host\/pool\/manifest\.ts$/;
/** Examples have codes of their authors. */
const NO_CODES = /\.examples\.ts$/;

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

const sourceOf = (file: string): string => new Map(sources).get(file) ?? '';

describe('the tables of codes', () => {
  it('have every error of the API with its status', () => {
    const rows = rowsOf(http, 'code').filter(([, status = '']) => /^\d+$/.test(status));
    const written = rows.map(([code = '', status]) => [codesIn(code)[0], status]);
    const [, map = ''] = /const STATUS\b[^=]*= \{(.*?)\n\}/s.exec(sourceOf('host/http/errors.ts')) ?? [];
    const statuses = [...map.matchAll(/(\w+): (\d{3}),/g)].map(([, code, status]) => [code, status]);
    expect(statuses.length).to.be.greaterThan(8);
    expect(written).to.have.deep.members(statuses);
  });

  it('are held against codes in all the forms in which sources give them', () => {
    const forms = `
      const a = { path, code: 'one', message };
      const b = { code: isGone ? 'two' : 'three' };
      return { to: 'completed', unrouted: 'four' };
      const CODES = {
        'string.min': 'five',
      };
      const problem = (code: string, message: string) => ({ path, code, message });
      problem('six', 'It is wrong.');
      function refused(path: Path, code: string, why: string) {}
      throw refused(path, 'seven', 'is too deep');
      function below(name: 'eight' | 'nine', limit: number) { return { code: name, limit }; }
    `;
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    expect([...codesOf(forms)]).to.have.members(names);
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
