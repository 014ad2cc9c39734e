/** Keeps the result for as long as its key is in use. Further arguments must be the same whenever the key is. */
export const memoizeByIdentity = <K extends object, V extends object | string, A extends readonly unknown[]>(
  make: (key: K, ...more: A) => V,
): ((key: K, ...more: A) => V) => {
  const known = new WeakMap<K, V>();
  return (key, ...more) => {
    const found = known.get(key) ?? make(key, ...more);
    known.set(key, found);
    return found;
  };
};
