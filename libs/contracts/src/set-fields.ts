/** `fields` without those that are undefined: readers look whether a field is there. */
export const setFields = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  }; // the filter above is what Exclude says
