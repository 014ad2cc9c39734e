import { plainName, type ScoreConstants } from "./constants.ts";
import type { ScorableNode } from "./scorable.ts";
import { instantOf } from "./time.ts";

/** Neither evidence for nor against. */
const unknown = 0.5;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;
/** A smaller number of an epoch is one of seconds. */
const millisecondsFrom = 1e11;

type End = "start" | "end";

/** A date property in milliseconds since the epoch: a whole day begins with its first and ends with its last one. */
export const validityTime = (value: unknown, end: End): number | undefined => {
  if (typeof value === "number")
    return Number.isInteger(value) ? (value < millisecondsFrom ? value * 1000 : value) : undefined;
  if (typeof value !== "string") return undefined;
  if (!dayShape.test(value)) return instantOf(value);
  return instantOf(`${value}T${end === "start" ? "00:00:00.000" : "23:59:59.999"}Z`);
};

/** Names repeat; what each means is worked out once for a set of constants. */
const meanings = new WeakMap<ScoreConstants, Map<string, End | undefined>>();
const maxKnown = 10_000;

const endOf = (name: string, constants: ScoreConstants): End | undefined => {
  let known = meanings.get(constants);
  if (known === undefined || known.size >= maxKnown) meanings.set(constants, (known = new Map()));
  if (known.has(name)) return known.get(name);
  const plain = plainName(name);
  const end = constants.validityStartKeys.has(plain)
    ? "start"
    : constants.validityEndKeys.has(plain)
      ? "end"
      : undefined;
  known.set(name, end);
  return end;
};

/** Whether a node claims to be valid now. */
export const validity = (node: ScorableNode, now: number, constants: ScoreConstants): number => {
  let found = false;
  let start = -Infinity;
  let end = Infinity;
  for (const { name, value } of node.properties) {
    const which = endOf(name, constants);
    // A date that a resolver holds, or an empty one, is none.
    if (which === undefined || value === undefined || value === "") continue;
    const time = validityTime(value, which);
    if (time === undefined) return 0;
    found = true;
    if (which === "start") start = Math.max(start, time);
    else end = Math.min(end, time);
  }
  if (!found) return unknown;
  return end < start || now < start || now > end ? 0 : 1;
};
