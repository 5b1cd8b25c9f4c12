/** Loaded by mocha's `require`, so it imports nothing: most runs need no server. */
const ends: (() => Promise<void>)[] = [];

/** Ends something that all tests of a run share, after the last of them. */
export function atEndOfRun(end: () => Promise<void>): void {
  ends.push(end);
}

export async function mochaGlobalTeardown(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
