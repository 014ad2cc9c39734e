/** Modules in the order in which they are given, amid those that are there. */
export const mergeModules = <Module>(
  present: readonly Module[],
  given: readonly Module[],
): readonly Module[] => {
  const merged = [...present];
  let next = 0;
  for (const module of given) {
    const index = merged.indexOf(module);
    if (index >= next) {
      next = index + 1;
      continue;
    }
    if (index >= 0) {
      merged.splice(index, 1);
      next--;
    }
    merged.splice(next++, 0, module);
  }
  return merged;
};
