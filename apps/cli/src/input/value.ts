import { InvalidArgumentError } from "commander";

/** Names with values, as `-p name=value` collects them. */
export type Values = Readonly<Record<string, unknown>>;

/** Parses JSON, and keeps other texts: `limit=3` is a number, `name=ann` and `code=007` are texts. */
export const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Splits `name=value`. */
export const splitAssignment = (text: string): readonly [string, unknown] => {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("name=value expected.");
  return [text.slice(0, at), valueOf(text.slice(at + 1))];
};

/** For repeatable options; the last value of a name wins. */
export const collectValues = (text: string, before: Values | undefined): Values => {
  const [name, value] = splitAssignment(text);
  return { ...before, [name]: value };
};

export const collectTexts = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];
