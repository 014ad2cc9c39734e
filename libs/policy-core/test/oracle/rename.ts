/** Renames aliases throughout a drawn condition. */

const places: ReadonlySet<string> = new Set(["variable", "as", "accumulator", "alias"]);

const collect = (value: unknown, names: Set<string>): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value))
    if (typeof each === "string" && places.has(key)) names.add(each);
    else collect(each, names);
};

const isName = (value: object): value is { readonly name: string } =>
  ("kind" in value && value.kind === "variable") || ("is" in value && value.is === "value");

const apply = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((each: unknown) => apply(each, rename));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === "string" && places.has(key) ? rename(each) : apply(each, rename),
    ]),
  );
  return isName(value) ? { ...copy, name: rename(value.name) } : copy;
};

/** The same data with other names for everything but the ends. */
export const renamed = <T>(data: T): T => {
  const names = new Set<string>();
  collect(data, names);
  const others = ["property", "type", "match", "count", "node", "id"].filter((name) => !names.has(name));
  const taken = new Map<string, string>();
  const rename = (name: string): string => {
    if (name === "subject" || name === "resource") return name;
    const known = taken.get(name) ?? others.shift() ?? `renamed_${taken.size}`;
    taken.set(name, known);
    return known;
  };
  // Only texts change, each for a text.
  return apply(data, rename) as T;
};
