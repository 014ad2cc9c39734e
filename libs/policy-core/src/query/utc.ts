import { instantOf } from "../instants/instant.ts";

/**
 * An RFC 3339 text as every time is stored: in UTC with milliseconds and `Z` (physical model, section 9); undefined
 * for anything else.
 */
export const toUtc = (text: string): string | undefined => {
  const instant = instantOf(text);
  if (instant === null) return undefined;
  const [seconds, nanoseconds] = instant;
  const utc = new Date(seconds * 1_000 + Math.floor(nanoseconds / 1_000_000)).toISOString();
  // An offset can lead out of the years that the form can write.
  return utc.length === 24 ? utc : undefined;
};
