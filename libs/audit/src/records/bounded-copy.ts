/** A copy of a value as a record holds it. */
export interface Copy {
  readonly value: unknown;
  /** Length of its JSON. */
  readonly bytes: number;
  /** The copy is incomplete: texts were shortened, levels or members were left out. */
  readonly cut: boolean;
}

/** Longest text of a record, in characters. */
export const maxText = 1024;
const maxLevels = 16;

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** A lone surrogate has no canonical JSON text, so it is replaced. */
export const copyText = (text: string, limit = maxText): Copy => {
  const value =
    text.length <= limit
      ? text.toWellFormed()
      : `${text.slice(0, limit).toWellFormed()}… (cut, ${text.length} characters)`;
  return { value, bytes: jsonBytes(value), cut: value !== text };
};

const copyNumber = (value: number): Copy => {
  const written = Number.isFinite(value) ? value : String(value);
  return { value: written, bytes: JSON.stringify(written).length, cut: false };
};

const copyList = (
  list: readonly unknown[],
  maxBytes: number,
  limit: number,
  level: number,
): Copy | undefined => {
  const value: unknown[] = [];
  let bytes = 2;
  let cut = false;
  for (const each of list) {
    const copy = copyWhole(each, maxBytes - bytes - 1, limit, level + 1);
    if (copy === undefined) return undefined;
    value.push(copy.value);
    bytes += copy.bytes + 1;
    cut ||= copy.cut;
  }
  return { value, bytes, cut };
};

const copyMap = (map: object, maxBytes: number, limit: number, level: number): Copy | undefined => {
  const members: [string, unknown][] = [];
  let bytes = 2;
  let cut = false;
  for (const name in map) {
    if (!Object.hasOwn(map, name)) continue;
    const each: unknown = Reflect.get(map, name);
    if (each === undefined) continue;
    const shown = copyText(name, limit);
    const copy = copyWhole(each, maxBytes - bytes - shown.bytes - 2, limit, level + 1);
    if (copy === undefined) return undefined;
    members.push([String(shown.value), copy.value]);
    bytes += shown.bytes + copy.bytes + 2;
    cut ||= copy.cut || shown.cut;
  }
  return { value: Object.fromEntries(members), bytes, cut };
};

/**
 * Copies a value whose JSON has at most `maxBytes`, with texts of at most `limit` characters. It reads no more of
 * the value than fits.
 *
 * @returns undefined when it does not fit.
 */
export const copyWhole = (value: unknown, maxBytes: number, limit = maxText, level = 0): Copy | undefined => {
  let copy: Copy | undefined;
  if (maxBytes <= 0) return undefined;
  if (typeof value === "string") copy = copyText(value, limit);
  else if (typeof value === "number") copy = copyNumber(value);
  else if (typeof value === "boolean") copy = { value, bytes: value ? 4 : 5, cut: false };
  else if (typeof value === "bigint") copy = copyText(String(value), limit);
  else if (typeof value !== "object" || value === null) copy = { value: null, bytes: 4, cut: false };
  else if (level >= maxLevels) copy = { ...copyText("… (cut, too deep)"), cut: true };
  else if (Array.isArray(value)) copy = copyList(value, maxBytes, limit, level);
  else copy = copyMap(value, maxBytes, limit, level);
  return copy !== undefined && copy.bytes <= maxBytes ? copy : undefined;
};
