/** Whether a key or a token is still valid. */
export type KeyState = "valid" | "expiring" | "expired";

/** The same period before its expiry in which responses to a token have `X-Token-Expires`. */
const expiringMs = 14 * 24 * 60 * 60 * 1_000;

export interface Expiring {
  readonly expire_time?: string | undefined;
}

export const keyState = ({ expire_time: end }: Expiring, now: number): KeyState => {
  if (end === undefined) return "valid";
  const left = Date.parse(end) - now;
  if (left <= 0) return "expired";
  return left < expiringMs ? "expiring" : "valid";
};

/** How many keys of an agent are valid, and when the last of them expires; undefined: one never expires. */
export const keysSummary = (
  keys: readonly Expiring[],
  now: number,
): { readonly valid: number; readonly until: string | undefined } => {
  const valid = keys.filter((key) => keyState(key, now) !== "expired");
  const ends = valid.map(({ expire_time: end }) => end);
  const until = ends.includes(undefined)
    ? undefined
    : ends
        .filter((end) => end !== undefined)
        .toSorted((one, other) => Date.parse(one) - Date.parse(other))
        .at(-1);
  return { valid: valid.length, until };
};
