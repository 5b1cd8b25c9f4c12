/** The files of a new plugin: plain JavaScript with types, so that nothing has to be built. */
export function templateOf({
  name,
  id,
  pluginApi,
  core,
}: {
  readonly name: string;
  readonly id: string;
  /** A range. */
  readonly pluginApi: string;
  /** The folder of the host's core, for the author's editor and tests. */
  readonly core: string;
}): { readonly [file: string]: string } {
  const stepType = `STEP_TYPE_${id.replaceAll('-', '_').toUpperCase()}`;
  const manifest = {
    name,
    version: '0.1.0',
    type: 'module',
    files: ['plugin.js', 'options.schema.json'],
    scripts: { test: 'node --test' },
    peerDependencies: { '@ductor/core': '*' },
    devDependencies: { '@ductor/core': `file:${core}` },
    ductor: {
      manifestVersion: 1,
      plugin: {
        id,
        entry: './plugin.js',
        pluginApi,
        options: './options.schema.json',
        stepTypes: [stepType],
        routes: `/api/plugins/${id}`,
      },
    },
  };
  return {
    'package.json': json(manifest),
    'options.schema.json': json({
      type: 'object',
      additionalProperties: false,
      properties: { greeting: { type: 'string', default: 'Hello' } },
    }),
    'plugin.js': `// @ts-check
import { cel, definePlugin, defineStep } from '@ductor/core';

/** What ductor.yaml may say below \`options\`. \`UPDATE=1 npm test\` writes options.schema.json from it. */
const options = /** @type {const} */ ({
  type: 'object',
  additionalProperties: false,
  properties: { greeting: { type: 'string', default: 'Hello' } },
});

/**
 * Greets whom \`to\`, an expression, says.
 * @param {string} greeting
 */
const greetStep = (greeting) =>
  defineStep({
    type: '${stepType}',
    schema: { type: 'object', required: ['to'], properties: { to: cel({ type: 'string' }) } },
    start: ({ config: { to } }) => ({ to: 'completed', outcome: 'SUCCESS', output: \`\${greeting}, \${to}!\`, commands: [] }),
  });

export default definePlugin({
  deps: {},
  options,
  contribute: (_deps, { greeting }) => ({
    steps: [greetStep(greeting)],
    routes: [
      {
        method: 'GET',
        path: '/api/plugins/${id}/greeting',
        options: { auth: { scope: ['workflow:read'] } },
        handler: () => ({ greeting }),
      },
    ],
  }),
});
`,
    'plugin.test.js': `import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import plugin from './plugin.js';

test('the step greets', () => {
  const { steps } = plugin.contribute({}, { greeting: 'Hello' });
  assert.equal(steps[0].start({ config: { to: 'Anna' } }).output, 'Hello, Anna!');
});

test('options.schema.json says what the code says (UPDATE=1 npm test writes it)', async () => {
  const file = new URL('options.schema.json', import.meta.url);
  if (process.env.UPDATE === '1') await writeFile(file, \`\${JSON.stringify(plugin.options, null, 2)}\\n\`);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), plugin.options);
});

test('the manifest lists the step types of the code', async () => {
  const { ductor } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));
  const { steps } = plugin.contribute({}, { greeting: '' });
  assert.deepEqual(ductor.plugin.stepTypes, steps.map(({ type }) => type));
});
`,
    'README.md': `# ${name}

A plugin for Ductor: the step type \`${stepType}\`, and \`GET /api/plugins/${id}/greeting\`.

\`\`\`bash
npm install
npm test
ductor plugin add .
ductor start
\`\`\`

While you work on it, name this folder in \`ductor.yaml\` instead of adding a copy: \`plugins: { "./path/to/it": {} }\`.
\`@ductor/core\` is the host's, so it stands in \`peerDependencies\`; the \`file:\` in \`devDependencies\` is where your host has
it, for your editor and tests.
`,
    '.gitignore': 'node_modules\n',
  };
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
