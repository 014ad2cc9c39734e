/**
 * Seconds of a `Retry-After` header, which has a number of seconds or a date (RFC 9110, section 10.2.3).
 *
 * @returns undefined when the header is absent or has neither.
 */
export const retryAfterSeconds = (header: string | null, now: number = Date.now()): number | undefined => {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text);
  // Every form of a date begins with a day of the week; `Date.parse` takes much else for one.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
};
