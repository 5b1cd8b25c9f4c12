const wiring = 'host/compose.ts';

/** The container is known to the file that wires the host, and to no other. */
export function containerRule({ sources }) {
  return sources
    .filter(({ file }) => file !== wiring)
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ specifier }) => specifier === 'tsyringe' || specifier?.startsWith('tsyringe/'))
        .map(({ line }) => ({ rule: 'container', file, line, message: `tsyringe belongs in ${wiring} alone` })),
    );
}
