/** How long a key, or a token, is valid still. */
export type KeyState = "valid" | "ending" | "ended";

/** As long before its end a token says so itself (`X-Token-Expires`). */
const endingMs = 14 * 24 * 60 * 60 * 1_000;

export interface Expiring {
  readonly expire_time?: string | undefined;
}

export const keyState = ({ expire_time: end }: Expiring, now: number): KeyState => {
  if (end === undefined) return "valid";
  const left = Date.parse(end) - now;
  if (left <= 0) return "ended";
  return left < endingMs ? "ending" : "valid";
};

/** What stands of the keys of an agent: how many are valid, and the last end of them; undefined: one has no end. */
export const keysSummary = (
  keys: readonly Expiring[],
  now: number,
): { readonly valid: number; readonly until: string | undefined } => {
  const valid = keys.filter((key) => keyState(key, now) !== "ended");
  const ends = valid.map(({ expire_time: end }) => end);
  const until = ends.includes(undefined)
    ? undefined
    : ends
        .filter((end) => end !== undefined)
        .toSorted((one, other) => Date.parse(one) - Date.parse(other))
        .at(-1);
  return { valid: valid.length, until };
};
