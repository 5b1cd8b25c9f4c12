import { expect } from 'chai';
import { createProgram } from '#host/cli/program.js';

type Command = Awaited<ReturnType<typeof createProgram>>;

const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

const pathOf = (command: Command): string => {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
};

const commands = leaves(await createProgram([]));

describe('the help', () => {
  it('has every command', () => {
    expect(commands.map(pathOf)).to.include.members(['ductor run pause', 'ductor credential create', 'ductor start']);
  });

  it('of every command says what it does, and ends with an example of it', () => {
    for (const command of commands) {
      const path = pathOf(command);
      expect(command.description(), path).to.not.equal('');
      const [, example = ''] = helpOf(command).split(/\nExamples?:\n/);
      for (const line of example.trimEnd().split('\n')) expect(line, path).to.match(new RegExp(`^  ${path}( |$)`));
    }
  });

  it('of a command does without the others, which are not loaded', async () => {
    const { commands } = await createProgram(['--json', 'run', 'pause', '--help']);
    expect(commands.map((command) => command.name())).to.eql(['run']);
  });

  it('has every command where the word is none of them', async () => {
    const { commands } = await createProgram(['constructor']);
    expect(commands.length).to.be.greaterThan(10);
  });
});
