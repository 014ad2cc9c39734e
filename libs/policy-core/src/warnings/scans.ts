import { quoteName, systemTypes, typeLabel, type ProjectKey } from "@ikg/physical";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { componentsOf, predicatesOf, type Component } from "./components.ts";
import {
  planningContextsOf,
  labelOf,
  policyRowFilters,
  rowLeaves,
  type PlanningContext,
  type WarningOptions,
} from "./context.ts";
import { testOfLeaf, testsOfMap, testsOfPredicate, type IndexTest } from "./index-tests.ts";
import { matchesIn, type Match } from "./matches.ts";
import { inCypher, type Warning } from "./warning.ts";

/** A short name, the same for the same index. */
const indexName = (kind: string, label: string, field: string): string => {
  let hash = 0xcbf29ce484222325n;
  for (const character of `${kind}\n${label}\n${field}`) {
    hash = ((hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return `ix_${hash.toString(16).padStart(16, "0")}`;
};

const indexStatement = ({ index, field }: IndexTest, type: string, pk: ProjectKey): string => {
  const label = typeLabel(type, pk);
  const name = indexName(index, label, field);
  return `CREATE ${index} INDEX ${name} IF NOT EXISTS FOR (n:${quoteName(label)}) ON (n.${quoteName(field)})`;
};

/** A component that is found by scanning all nodes of a type or of the project. */
interface Scan {
  readonly match: Match;
  readonly component: Component;
  readonly known: PlanningContext;
}

function* scansIn(policy: Policy, query?: KnowledgeQuery): Generator<Scan, void> {
  const { query: tree, analysis } = policy.condition;
  for (const known of planningContextsOf(policy, query)) {
    for (const match of matchesIn(tree, known.bound, true, analysis.report)) {
      for (const component of componentsOf(match, analysis.report, known.pinned)) {
        if (!component.isReachable && !component.hasExternalId) yield { match, component, known };
      }
    }
  }
}

const testsIn = ({ match, component }: Scan, policy: Policy): readonly IndexTest[] => {
  const { report } = policy.condition.analysis;
  return [
    ...component.nodes.flatMap(testsOfMap),
    ...predicatesOf(match).flatMap((predicate) => testsOfPredicate(predicate, report)),
  ].filter(({ alias }) => alias === undefined || component.names.has(alias));
};

const labelOfAlias = (alias: string | undefined, { component }: Scan, policy: Policy): string | undefined => {
  const labels = component.nodes
    .filter(({ variable }) => variable === alias)
    .flatMap((node) => labelOf(node, policy) ?? []);
  return labels[0];
};

interface IndexAdvice extends IndexTest {
  readonly type: string;
}

const adviceText = ({ index, path, type }: IndexAdvice): string =>
  `an index would find ${type} by ${path}; without one every ${type} is scanned${index === "TEXT" ? " (a text index)" : ""}`;

/** Warnings of property tests that an index would serve: no pattern leads to the node that they find. */
export const indexWarnings = (
  policy: Policy,
  { pk }: WarningOptions,
  query?: KnowledgeQuery,
): readonly Warning[] => {
  const { text } = policy.condition;
  const found = new Map<string, Warning>();
  const add = (test: IndexAdvice, place: Pick<Warning, "path" | "line" | "column">): void => {
    const key = `${test.index} ${test.type} ${test.field}`;
    if (found.has(key)) return;
    const statement = pk === undefined ? {} : { statement: indexStatement(test, test.type, pk) };
    found.set(key, { ...place, code: "index-would-serve", text: adviceText(test), ...statement });
  };
  const leaves = rowLeaves(policyRowFilters(policy, query));
  for (const scan of scansIn(policy, query)) {
    for (const test of testsIn(scan, policy)) {
      const type = labelOfAlias(test.alias, scan, policy);
      if (type === undefined) continue;
      const node = scan.component.nodes.find(({ variable }) => variable === test.alias);
      add({ ...test, type }, inCypher("index-would-serve", "", text, node?.at ?? scan.component.at));
    }
    if (!scan.match.outer) continue;
    for (const leaf of leaves) {
      const test = testOfLeaf(leaf);
      const type =
        test && scan.component.names.has(test.alias ?? "")
          ? labelOfAlias(test.alias, scan, policy)
          : undefined;
      if (test !== undefined && type !== undefined) add({ ...test, type }, { path: leaf.path });
    }
  }
  // The author of the policy is warned of the tests that it makes itself.
  return [...found.values()].filter(({ path }) => query === undefined || path.startsWith("query."));
};

const scanText = ({ component, known }: Scan, policy: Policy): string | undefined => {
  const unlabelled = component.nodes.every(({ label }) => label === undefined);
  if (!unlabelled) return undefined;
  const end = component.nodes.find(({ variable }) => variable === known.target && variable !== undefined);
  // Applications are few.
  if (end !== undefined && labelOf(end, policy) === systemTypes.application) return undefined;
  if (end !== undefined) {
    return `in a search every ${labelOf(end, policy) ?? "node"} is tried as ${known.target ?? ""}: no pattern connects it to the other end; add one`;
  }
  return known.target === undefined
    ? "every node of the project is scanned: the node has no label, and no pattern connects it to a known node"
    : undefined;
};

/** Nodes that are found by scanning. */
export const scanWarnings = (policy: Policy): readonly Warning[] => {
  const warnings = new Map<string, Warning>();
  for (const scan of scansIn(policy)) {
    const text = scanText(scan, policy);
    // A warning of an index covers it already.
    const served = testsIn(scan, policy).some(({ alias }) => labelOfAlias(alias, scan, policy) !== undefined);
    if (text === undefined || served) continue;
    const warning = inCypher("unlabelled-scan", text, policy.condition.text, scan.component.at);
    warnings.set(`${scan.component.at} ${text}`, warning);
  }
  return [...warnings.values()];
};
