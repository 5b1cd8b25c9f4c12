import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Command } from 'commander';

export type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (style: Style, text: string) => string;

/** What is written to: a terminal, or a file or pipe, which has no window. */
export type Screen = Partial<Pick<WriteStream, 'isTTY' | 'rows'>> & { write(text: string): unknown };

/** Colours only where someone sees them and has not declined. */
export const paintFor = (stream: Screen): Paint =>
  canRedraw(stream) ? (style, text) => styleText(style, text) : (_style, text) => text;

/** Whether lines can be drawn over, which takes the escape codes that colours take. */
export const canRedraw = (stream: Screen): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

export const wantsJson = (command: Command): boolean => command.optsWithGlobals().json === true;

/** Prints what a command has to say: as JSON where that is asked for, else its readable form. */
export function print(command: Command, { json, text }: { readonly json: unknown; readonly text: () => string }): void {
  console.log(wantsJson(command) ? JSON.stringify(json, null, 2) : text());
}
