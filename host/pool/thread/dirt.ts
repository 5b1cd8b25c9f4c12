/**
 * Tells whether an attempt left something behind in the thread: new globals (looked for after each), or running timers
 * (only when nothing else runs, as they do not say whose they are).
 */
export const watchDirt = (): ((idle: boolean) => boolean) => {
  const { keys } = Object;
  let globals = keys(globalThis).length;
  return (idle) => {
    const now = keys(globalThis).length;
    const grew = now > globals;
    globals = now;
    return grew || (idle && process.getActiveResourcesInfo().includes('Timeout'));
  };
};
