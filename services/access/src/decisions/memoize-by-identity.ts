/** Keeps the result for as long as its key is in use. */
export const memoizeByIdentity = <K extends object, V extends object>(
  make: (key: K) => V,
): ((key: K) => V) => {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
};
