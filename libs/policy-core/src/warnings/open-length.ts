import { nodesOf } from "../cypher/walk.ts";
import type { Policy } from "../policy/compile.ts";
import { openLength } from "../rewrite/rewrite.ts";
import { inCypher, type Warning } from "./warning.ts";

/** Paths without an upper bound, which are cut. */
export const openLengthWarnings = ({ condition }: Policy): readonly Warning[] => {
  const warnings: Warning[] = [];
  for (const node of nodesOf(condition.query)) {
    if (node.kind !== "relationship" || node.length === undefined || node.length.max !== undefined) continue;
    const most = Math.max(openLength, node.length.min ?? 0);
    const text = `a path without an upper bound is cut at ${most} hops; write an upper bound, such as *${node.length.min ?? 1}..5`;
    warnings.push(inCypher("unbounded-path-capped", text, condition.text, node.at));
  }
  return warnings;
};
