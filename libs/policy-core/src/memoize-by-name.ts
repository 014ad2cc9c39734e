/** Computes what a name stands for once: the lists of a query may mention one alias thousands of times. */
export const memoizeByName = <T>(compute: (name: string) => T): ((name: string) => T) => {
  const known = new Map<string, { readonly value: T }>();
  return (name) => {
    const found = known.get(name) ?? { value: compute(name) };
    known.set(name, found);
    return found.value;
  };
};
