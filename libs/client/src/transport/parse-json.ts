import { IkgUnreachable } from "../errors/ikg-unreachable.ts";

/**
 * Parses an object or a list: no response of IKG is another value, and callers read members of it.
 *
 * @param source what the text is, for the message.
 * @throws IkgUnreachable "invalid_response"
 */
export const parseJson = (text: string, source: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new IkgUnreachable("invalid_response", `${source} is not JSON`, error);
  }
  if (typeof value === "object" && value !== null) return value;
  throw new IkgUnreachable("invalid_response", `${source} is not a JSON object`);
};
