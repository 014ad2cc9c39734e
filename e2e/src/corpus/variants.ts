import type { PolicyEntry } from "./entry.ts";
import type { CorpusGraph } from "./read.ts";

type Policy = PolicyEntry["policy"];

/** A policy with one thing of it turned into another one. */
export interface Variant {
  /** What was done. */
  readonly label: string;
  readonly policy: Policy;
}

/** The types of a relationship in a pattern: `[:OWNS]`, `[r:OWNS|HAS*..3]`. */
const edgeTypes = /\[\s*\w*\s*:\s*([\w|: ]+?)\s*(?=[*\]{])/g;

/** Comparisons, and what each becomes. */
const flipped: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

const replaceAt = (text: string, at: number, length: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + length);

/** Each type of a relationship in the pattern, by each other type that relationships of the graph have. */
const edgeVariants = (policy: Policy, types: readonly string[], most: number): readonly Variant[] => {
  const { cypher } = policy.condition;
  return [...cypher.matchAll(edgeTypes)].flatMap((match) => {
    const [whole, list = ""] = match;
    const start = match.index + whole.indexOf(list);
    return [...list.matchAll(/\w+/g)].flatMap((name) =>
      types
        .filter((type) => type !== name[0])
        .slice(0, most)
        .map((type) => ({
          label: `${name[0]} becomes ${type}`,
          policy: {
            ...policy,
            condition: {
              ...policy.condition,
              cypher: replaceAt(cypher, start + name.index, name[0].length, type),
            },
          },
        })),
    );
  });
};

/** Each comparison of a WHERE, the other way round. */
const comparisonVariants = (policy: Policy): readonly Variant[] => {
  const { cypher } = policy.condition;
  const where = cypher.search(/\bWHERE\b/i);
  if (where < 0) return [];
  return [...cypher.matchAll(/ (=|<>|<=|>=|<|>) /g)].flatMap((match) => {
    const [, operator = ""] = match;
    const by = flipped[operator];
    return match.index < where || by === undefined
      ? []
      : [
          {
            label: `${operator} becomes ${by}`,
            policy: {
              ...policy,
              condition: {
                ...policy.condition,
                cypher: replaceAt(cypher, match.index + 1, operator.length, by),
              },
            },
          },
        ];
  });
};

interface FilterNode {
  readonly operator?: string;
  readonly operands?: readonly FilterNode[];
}

/** A filter with one of its leaves the other way round, once for each leaf that can be. */
const flippedFilters = (filter: unknown): readonly { readonly label: string; readonly filter: unknown }[] => {
  if (Array.isArray(filter))
    return filter.flatMap((each: unknown, index) =>
      flippedFilters(each).map(({ label, filter: next }) => ({
        label,
        filter: filter.map((other: unknown, at) => (at === index ? next : other)),
      })),
    );
  if (typeof filter !== "object" || filter === null) return [];
  const { operator, operands } = filter as FilterNode; // as the policy language has filters
  if (operands !== undefined)
    return flippedFilters(operands).map(({ label, filter: next }) => ({
      label,
      filter: { ...filter, operands: next },
    }));
  const by = flipped[operator ?? ""];
  return by === undefined
    ? []
    : [{ label: `filter ${operator} becomes ${by}`, filter: { ...filter, operator: by } }];
};

const filterVariants = (policy: Policy): readonly Variant[] =>
  flippedFilters(policy.condition.filter).map(({ label, filter }) => ({
    label,
    policy: { ...policy, condition: { ...policy.condition, filter } },
  }));

/**
 * Policies that differ from one in a single type of a relationship or a single comparison.
 *
 * @param most other types that each type becomes, at most.
 */
export const variantsOf = (
  { policy }: Pick<PolicyEntry, "policy">,
  { relationships }: CorpusGraph,
  most: number,
): readonly Variant[] => {
  const types = [...new Set(relationships.map(({ type }) => type))].toSorted();
  return [...edgeVariants(policy, types, most), ...comparisonVariants(policy), ...filterVariants(policy)];
};
