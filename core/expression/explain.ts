/** The engine's terser messages, in an author's words. */
export const explain = (message: string, source: string, offset: number): string => {
  if (message === 'unresolved attribute') {
    const name = /[A-Za-z_]\w*/.exec(source.slice(offset))?.[0];
    return name ? `'${name}' is not known here` : 'a variable is not known here';
  }
  const outOfBounds = /^index (\S+) out of bounds \[0, -1\)$/.exec(message);
  if (outOfBounds) return `the list has no element ${outOfBounds[1]}`;
  const overload = /^found no matching overload for '?(\S+?)'? applied to '(?:(\S+)\.)?\((.*)\)'$/.exec(message);
  if (overload)
    return `${functionTitle(overload[1] ?? '')} does not take (${[overload[2], overload[3]].filter(Boolean).join(', ')})`;
  const unbound = /^unbound function: (.*)$/.exec(message);
  return unbound ? `no function '${unbound[1]}'` : message;
};

/** `_+_` is written `+`. */
export const functionTitle = (name: string): string => {
  if (name === '_?_:_') return "'? :'";
  return `'${name.replace(/^[_@]|_$/g, '')}'`;
};
