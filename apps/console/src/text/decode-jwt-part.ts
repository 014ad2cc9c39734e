import { type Members, objectOf } from "./json.ts";

/** The object in one part of a JWT, header or claims, of which nothing is verified; undefined for any other text. */
export const decodeJwtPart = (part: string): Members | undefined => {
  try {
    const text = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return objectOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};
