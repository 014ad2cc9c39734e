/** What parsed JSON holds: texts of policies, parameters of requests and records are looked at without a schema. */
export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Empty for what is no text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The member `type` of what a policy names; empty where there is none. */
export const typeOf = (value: unknown): string => textOf(isObject(value) ? value["type"] : undefined);

/** The object that a text holds as JSON; undefined for any other text. */
export const objectOf = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
