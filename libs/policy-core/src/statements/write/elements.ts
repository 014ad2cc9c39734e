import { nodeKey } from "@ikg/physical";
import { memoizeByName } from "../../memoize-by-name.ts";
import type { Writes } from "../../query/read-upserts.ts";
import type { BoundUpserts } from "./fields.ts";
import type { WriteStatements } from "./statements.ts";

/** A row of the match, or of any other step. */
export type Row = Readonly<Record<string, unknown>>;

/** The elements that the names of a query stand for in the rows of one execution. */
export interface Elements {
  /** Key of the node in a row; undefined where the pattern found none. */
  node(name: string, row: Row): string | undefined;
  /** Distinct keys of all rows, sorted, so that executions lock in the same order. */
  keys(name: string): readonly string[];
  /** Distinct element ids of all rows, sorted. */
  ids(alias: string): readonly string[];
  /** Pairs of keys of all rows in which both ends are there, distinct and sorted. */
  pairs(source: string, target: string): readonly (readonly [string, string])[];
  /** Why elements of the platform would be changed; undefined when none would. */
  readonly fault: string | undefined;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const distinct = (values: readonly unknown[]): readonly string[] =>
  [...new Set(values.filter((value): value is string => typeof value === "string"))].toSorted(compare);

/** What any of the names stands for, each once: a query may give one name thousands of times. */
export const valuesUnder = (
  names: readonly string[],
  valuesOf: (name: string) => readonly string[],
): readonly string[] => [...new Set([...new Set(names)].flatMap((name) => valuesOf(name)))];

/** One text for two keys, whatever they hold. */
export const pairText = (a: string, b: string): string => JSON.stringify([a, b]);

/** Names of the elements that a query changes or deletes, each once, however many paths below it are deleted. */
const existingNames = (
  upserts: Writes["upsertNodes"] | Writes["upsertRelationships"],
  deletes: Writes["deleteNodes"] | Writes["deleteRelationships"],
): ReadonlySet<string> => {
  const names = new Set(deletes.map(({ alias }) => alias));
  for (const { kind, name } of upserts) if (kind === "existing") names.add(name);
  return names;
};

/** Looks up the elements of each name in the rows of a match. */
export const elementsOf = (
  { pk, writes, match }: WriteStatements,
  bound: BoundUpserts,
  rows: readonly Row[],
): Elements => {
  const made = new Map(
    writes.upsertNodes.flatMap((entry, index): [string, string][] => {
      const externalId = bound.nodes[index]?.externalId;
      return entry.kind === "new" && externalId !== undefined
        ? [[entry.name, nodeKey(pk, entry.type, externalId)]]
        : [];
    }),
  );
  const node = (name: string, row: Row): string | undefined => {
    const key = made.get(name) ?? row[match.nodes.get(name) ?? ""];
    return typeof key === "string" ? key : undefined;
  };
  const keys = memoizeByName((name) => distinct(rows.map((row) => node(name, row))));
  const valuesOf = memoizeByName((name) => distinct(rows.map((row) => row[name])));
  const column = (name: string | undefined): readonly string[] => (name === undefined ? [] : valuesOf(name));

  const typeOfKey = (key: string): string => key.slice(pk.length + 1, key.indexOf("/", pk.length + 1));
  const platformNode = [...existingNames(writes.upsertNodes, writes.deleteNodes)]
    .flatMap((name) => keys(name))
    .map(typeOfKey)
    .find((type) => type.startsWith("_"));
  const platformRelationship = [...existingNames(writes.upsertRelationships, writes.deleteRelationships)]
    .flatMap((alias) => column(match.relationships.get(alias)?.type))
    .find((type) => type.startsWith("_"));

  return {
    node,
    keys,
    ids: (alias) => column(match.relationships.get(alias)?.id),
    pairs: (source, target) => {
      const pairs = new Map<string, readonly [string, string]>();
      for (const row of rows) {
        const [a, b] = [node(source, row), node(target, row)];
        if (a !== undefined && b !== undefined) pairs.set(pairText(a, b), [a, b]);
      }
      return [...pairs.values()].toSorted((x, y) => compare(x[0], y[0]) || compare(x[1], y[1]));
    },
    fault:
      platformNode === undefined
        ? platformRelationship && `query: relationships of type ${platformRelationship} cannot be changed`
        : `query: nodes of type ${platformNode} can only be linked`,
  };
};
