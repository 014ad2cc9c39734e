/** The members of a parsed JSON object that has no schema here. */
export type Members = Readonly<Record<string, unknown>>;

/** The same as `isJsonObject` of the contracts, of which this package imports types alone. */
export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Empty for any other type. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The member `type` of what a policy names; empty where there is none. */
export const typeOf = (value: unknown): string => textOf(isObject(value) ? value["type"] : undefined);

/** A value as people read it: a text as it is, anything else as JSON; empty for what is absent. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** The object that a text holds as JSON; undefined for any other text. */
export const objectOf = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The message at a field that holds anything but an object of JSON. */
export const objectExpected = 'Enter a JSON object, for example {"limit": 3}';

/** The error of a field that holds an object of JSON, or nothing. */
export const objectError = (text: string): string | undefined =>
  text.trim() === "" || objectOf(text) !== undefined ? undefined : objectExpected;

/** JSON in lines; empty for what is absent. */
export const printJson = (value: unknown): string =>
  value === undefined ? "" : JSON.stringify(value, undefined, 2);

/** The value of a field that holds JSON; undefined for an empty one. @throws SyntaxError */
export const parseField = (text: string): unknown =>
  text.trim() === "" ? undefined : (JSON.parse(text) as unknown);

/** The syntax error of a field of JSON, in the words of the browser. */
export const jsonError = (text: string): string | undefined => {
  try {
    parseField(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Whether two values of JSON are the same, whatever the order of members. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((each, index) => isSameJson(each, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
};

/** Whether two texts hold the same JSON; texts that hold none are compared as they are. */
export const isSameJsonText = (one: string, other: string): boolean => {
  try {
    return isSameJson(JSON.parse(one), JSON.parse(other));
  } catch {
    return one === other;
  }
};
