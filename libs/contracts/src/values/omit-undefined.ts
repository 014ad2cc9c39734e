/** `T` with a field that may be undefined as an optional one. */
type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** `fields` without those that are undefined: readers look whether a field is there. The names are those of a program, not of a caller. */
export const omitUndefined = <T extends object>(fields: T): WithoutUndefined<T> => {
  const kept: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as unknown as WithoutUndefined<T>; // only fields that are optional there were left out
};
