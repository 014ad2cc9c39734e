import type { OriginEntry, ScoreConstants } from "./constants.ts";
import { mean } from "./round.ts";
import type { ScorableNode } from "./scorable.ts";

const scores = { none: 0, selfAttested: 0.4, publicAuthority: 0.75, other: 0.5 } as const;

const selfWords = new Set(["self", "selfattested", "selfasserted", "selfdeclared"]);
const selfNames = new Set(["user", "customer", "subject", "end-user"]);
const betweenWords = /[^\p{L}\p{N}]+/u;
const hostLike = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const publicAuthority = /(?:^|\.)(?:gov|gouv|gob|govt|mil)(?:\.[a-z]{2})?$/;

const matches = (source: string, match: string): boolean => {
  const wanted = match.trim().toLowerCase();
  return wanted.startsWith("*.") ? source.endsWith(wanted.slice(1)) : source === wanted;
};

const inTable = (source: string, table: readonly OriginEntry[]): number | undefined =>
  table.find(({ match }) => matches(source, match))?.score;

const isSelfAttested = (source: string): boolean =>
  selfNames.has(source) || source.split(betweenWords).some((word) => selfWords.has(word));

/** How far one source is trusted; full trust is a decision of the deployer, by the table. */
export const originOf = (named: unknown, { originTable }: ScoreConstants): number => {
  const source = typeof named === "string" ? named.trim().toLowerCase() : "";
  if (source === "") return scores.none;
  const decided = inTable(source, originTable);
  if (decided !== undefined) return decided;
  if (isSelfAttested(source)) return scores.selfAttested;
  return hostLike.test(source) && publicAuthority.test(source) ? scores.publicAuthority : scores.other;
};

/** How trustworthy the named sources are. */
export const origin = (node: ScorableNode, constants: ScoreConstants): number =>
  mean(node.properties, ({ source }) => originOf(source, constants));
