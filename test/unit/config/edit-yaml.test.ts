import { expect } from 'chai';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { editYaml } from '#host/config/edit-yaml.js';

const audit = ['plugins', '@acme/audit'];
const setting = { version: '1.0.0' };

describe('editing a YAML file', () => {
  it('adds an entry to a map and changes no other byte', () => {
    const text = `version: 1
mode: production            # default: production when a database is named
plugins:                    # ours are on unless false
  # looked at daily
  scheduler: {options: {catchup_window_ms: 60_000}}

  console: false            # nobody looks

connectors:
    private_networks: [ 10.20.0.0/16 ]   # the office
`;
    const added = editYaml(text, audit, setting);
    expect(added).to.equal(text.replace('# looked', `"@acme/audit": { version: 1.0.0 }\n  # looked`));
    expect(editYaml(added, audit, undefined)).to.equal(text);
  });

  it('adds to what has no such map yet, to an empty file, and to a map on one line', () => {
    expect(editYaml('', audit, setting)).to.equal('plugins:\n  "@acme/audit":\n    version: 1.0.0\n');
    expect(editYaml('# mine\nmode: production', audit, setting)).to.equal(
      '# mine\nmode: production\nplugins:\n  "@acme/audit":\n    version: 1.0.0\n',
    );
    expect(editYaml('plugins: {}\n', audit, setting)).to.equal('plugins: { "@acme/audit": { version: 1.0.0 } }\n');
    expect(editYaml('plugins: { a: false } # x\n', audit, setting)).to.equal(
      'plugins: { "@acme/audit": { version: 1.0.0 }, a: false } # x\n',
    );
    expect(parse(editYaml('{ mode: production }', audit, setting))).to.eql({
      mode: 'production',
      plugins: { '@acme/audit': setting },
    });
  });

  it('changes a version where it stands, and leaves the options beside it', () => {
    const text = 'plugins:\n  "@acme/audit": { version: ^0.9.0, options: {keep: 3} } # ours\n';
    expect(editYaml(text, [...audit, 'version'], '1.0.0')).to.equal(text.replace('^0.9.0', '1.0.0'));
    expect(editYaml('plugins:\n  "@acme/audit": false # for now\n', [...audit, 'version'], '1.0.0')).to.equal(
      'plugins:\n  "@acme/audit": { version: 1.0.0 } # for now\n',
    );
    expect(
      editYaml('plugins:\n  "@acme/audit":\n    options:\n      keep: 3\n', [...audit, 'version'], '1.0.0'),
    ).to.equal('plugins:\n  "@acme/audit":\n    version: 1.0.0\n    options:\n      keep: 3\n');
  });

  it('takes an entry out with its line, and the map with its last entry', () => {
    expect(
      editYaml('plugins:\n  a: false # a\n  "@acme/audit":\n    version: 1.0.0\n  b: false\n', audit, undefined),
    ).to.equal('plugins:\n  a: false # a\n  b: false\n');
    expect(editYaml('mode: production\nplugins:\n  "@acme/audit": false\nlog: {}\n', audit, undefined)).to.equal(
      'mode: production\nlog: {}\n',
    );
    expect(editYaml('plugins: { "@acme/audit": {}, b: false }\n', audit, undefined)).to.equal(
      'plugins: { b: false }\n',
    );
    expect(editYaml('plugins: { b: false, "@acme/audit": {} }\n', audit, undefined)).to.equal(
      'plugins: { b: false }\n',
    );
    expect(editYaml('mode: production\n', audit, undefined)).to.equal('mode: production\n');
  });

  it('says what was meant, whatever the file looked like', () => {
    const name = fc.constantFrom('a', '@acme/audit', 'x y', 'log', '#');
    const entry = fc.constantFrom(false, null, {}, { version: '1' }, { options: { a: [1, 'x: y'] } });
    const style = fc.constantFrom('any', 'block', 'flow') as fc.Arbitrary<'any' | 'block' | 'flow'>;
    fc.assert(
      fc.property(
        fc.dictionary(name, entry, { maxKeys: 4 }),
        fc.constantFrom({}, { mode: 'production' }),
        style,
        name,
        (plugins, others, collectionStyle, key) => {
          const all = { ...others, plugins, log: {} };
          const text = stringify(all, { collectionStyle, aliasDuplicateObjects: false });
          const added = parse(editYaml(text, ['plugins', key], setting));
          expect(added).to.eql({ ...all, plugins: { ...plugins, [key]: setting } });
          const { [key]: _gone, ...rest } = plugins;
          const removed = parse(editYaml(text, ['plugins', key], undefined)) ?? {};
          expect(removed.plugins ?? {}).to.eql(rest);
        },
      ),
    );
  });
});
