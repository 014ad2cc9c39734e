import type { Policy } from "../policy/compile.ts";
import { componentsOf, type Component } from "./components.ts";
import { planningContextOf } from "./context.ts";
import { matchesIn } from "./matches.ts";
import { inCypher, type Warning } from "./warning.ts";

const nameOf = ({ names }: Component): string => {
  const [name] = names;
  return name === undefined ? "this pattern" : `"${name}"`;
};

/** Patterns that nothing ties to the others: their matches multiply the rows. */
export const cartesianWarnings = (policy: Policy): readonly Warning[] => {
  const { query, analysis, text } = policy.condition;
  const { bound, pinned } = planningContextOf(policy);
  const warnings: Warning[] = [];
  let many = false;
  for (const match of matchesIn(query, bound, true, analysis.report)) {
    if (!match.outer) continue;
    if (match.since !== "kept") many = match.since === "more";
    const components = componentsOf(match, analysis.report, pinned).filter((each) => each.hasSeveralMatches);
    const free = components.filter(
      ({ isReachable, hasExternalId, isConnected }) => !isReachable && !hasExternalId && !isConnected,
    );
    // What everything else is combined with is no product by itself.
    const alone = many || free.length < components.length ? free : free.slice(1);
    many ||= components.length > 0;
    for (const component of alone) {
      const advice = `${nameOf(component)} is not connected to the other patterns, so the result is a Cartesian product; connect it or match it by external_id`;
      warnings.push(inCypher("cartesian-product", advice, text, component.at));
    }
  }
  return warnings;
};
