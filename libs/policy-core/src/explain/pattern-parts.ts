import type { Policy } from "../policy/compile.ts";
import { partOf, type Part } from "./part.ts";
import { Spans } from "./spans.ts";
import { stepsOf } from "./steps.ts";

/**
 * The parts of a policy's pattern that an explanation can name as the first after which nothing is left, in that
 * order. Where a node is an end of the question it is there, or the explanation says that it is missing.
 */
export const patternParts = (policy: Policy): readonly Part[] => {
  const { text, query, analysis } = policy.condition;
  const ends: readonly (string | undefined)[] =
    policy.kind === "kbac" ? ["subject", "resource"] : ["subject"];
  const spans = new Spans(text);
  return stepsOf(query, analysis.report)
    .filter(({ node }) => node === undefined || !ends.includes(node))
    .map(({ kind, span }) => partOf(kind, text, span(spans)));
};
