import { quoteName, systemTypes, typeLabel, type ProjectKey } from "@ikg/physical";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { componentsOf, predicatesOf, type Component } from "./components.ts";
import {
  knownInEachUse,
  labelOf,
  rowFilters,
  rowLeaves,
  type Known,
  type WarningOptions,
} from "./context.ts";
import { testOfLeaf, testsOfMap, testsOfPredicate, type IndexTest } from "./index-tests.ts";
import { matchesIn, type Match } from "./matches.ts";
import { inCypher, type Warning } from "./warning.ts";

/** A name that is the same for the same index, and short. */
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

/** A component that is found by looking at all nodes of a type or of the project. */
interface Sought {
  readonly match: Match;
  readonly component: Component;
  readonly known: Known;
}

function* soughtIn(policy: Policy, query?: KnowledgeQuery): Generator<Sought, void> {
  const { query: tree, analysis } = policy.condition;
  for (const known of knownInEachUse(policy, query)) {
    for (const match of matchesIn(tree, known.bound, true, analysis.report)) {
      for (const component of componentsOf(match, analysis.report, known.pinned)) {
        if (!component.reached && !component.pinned) yield { match, component, known };
      }
    }
  }
}

const testsIn = ({ match, component }: Sought, policy: Policy): readonly IndexTest[] => {
  const { report } = policy.condition.analysis;
  return [
    ...component.nodes.flatMap(testsOfMap),
    ...predicatesOf(match).flatMap((predicate) => testsOfPredicate(predicate, report)),
  ].filter(({ alias }) => alias === undefined || component.names.has(alias));
};

const labelOfAlias = (
  alias: string | undefined,
  { component }: Sought,
  policy: Policy,
): string | undefined => {
  const labels = component.nodes
    .filter(({ variable }) => variable === alias)
    .flatMap((node) => labelOf(node, policy) ?? []);
  return labels[0];
};

interface Advised extends IndexTest {
  readonly type: string;
}

const advisedText = ({ index, path, type }: Advised): string =>
  `an index would find ${type} by ${path}; without one every ${type} is looked at${index === "TEXT" ? " (a text index)" : ""}`;

/** Property tests by which something is sought that no pattern leads to. */
export const indexWarnings = (
  policy: Policy,
  { pk }: WarningOptions,
  query?: KnowledgeQuery,
): readonly Warning[] => {
  const { text } = policy.condition;
  const found = new Map<string, Warning>();
  const add = (test: Advised, place: Pick<Warning, "path" | "line" | "column">): void => {
    const key = `${test.index} ${test.type} ${test.field}`;
    if (found.has(key)) return;
    const statement = pk === undefined ? {} : { statement: indexStatement(test, test.type, pk) };
    found.set(key, { ...place, code: "index-would-serve", text: advisedText(test), ...statement });
  };
  const leaves = rowLeaves(rowFilters(policy, query));
  for (const sought of soughtIn(policy, query)) {
    for (const test of testsIn(sought, policy)) {
      const type = labelOfAlias(test.alias, sought, policy);
      if (type === undefined) continue;
      const node = sought.component.nodes.find(({ variable }) => variable === test.alias);
      add({ ...test, type }, inCypher("index-would-serve", "", text, node?.at ?? sought.component.at));
    }
    if (!sought.match.outer) continue;
    for (const leaf of leaves) {
      const test = testOfLeaf(leaf);
      const type =
        test && sought.component.names.has(test.alias ?? "")
          ? labelOfAlias(test.alias, sought, policy)
          : undefined;
      if (test !== undefined && type !== undefined) add({ ...test, type }, { path: leaf.path });
    }
  }
  // What its policy tests likewise is told to the author of the policy.
  return [...found.values()].filter(({ path }) => query === undefined || path.startsWith("query."));
};

const scanText = ({ component, known }: Sought, policy: Policy): string | undefined => {
  const unlabelled = component.nodes.every(({ label }) => label === undefined);
  if (!unlabelled) return undefined;
  const end = component.nodes.find(({ variable }) => variable === known.sought && variable !== undefined);
  // Applications are few.
  if (end !== undefined && labelOf(end, policy) === systemTypes.application) return undefined;
  if (end !== undefined) {
    return `in a search every ${labelOf(end, policy) ?? "node"} is tried as ${known.sought ?? ""}: nothing leads there from what is known; connect it to the other end`;
  }
  return known.sought === undefined
    ? "every node of the project is looked at: no label says which, and nothing leads there from what is known"
    : undefined;
};

/** Nodes that are found by scanning. */
export const scanWarnings = (policy: Policy): readonly Warning[] => {
  const warnings = new Map<string, Warning>();
  for (const sought of soughtIn(policy)) {
    const text = scanText(sought, policy);
    // What an index would find is advised about already.
    const served = testsIn(sought, policy).some(
      ({ alias }) => labelOfAlias(alias, sought, policy) !== undefined,
    );
    if (text === undefined || served) continue;
    const warning = inCypher("unlabelled-scan", text, policy.condition.text, sought.component.at);
    warnings.set(`${sought.component.at} ${text}`, warning);
  }
  return [...warnings.values()];
};
