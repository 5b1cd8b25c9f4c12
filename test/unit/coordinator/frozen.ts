/** The same value, of which nothing can be changed any more, down to the last map. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const [key, item] of value) {
      deepFrozen(key);
      deepFrozen(item);
    }
    const refuse = () => {
      throw new TypeError('a frozen map was changed');
    };
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse });
  } else {
    for (const item of Object.values(value)) deepFrozen(item);
  }
  return Object.freeze(value);
}
