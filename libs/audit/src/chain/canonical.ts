import serialize from "canonicalize";

/**
 * The one text of a JSON value: RFC 8785 (JCS).
 *
 * @throws Error for what JSON cannot say: NaN, infinities, lone surrogates.
 */
export const canonical = (value: unknown): string => {
  const text = serialize(value);
  if (text === undefined) throw new Error("a value has no JSON");
  return text;
};
