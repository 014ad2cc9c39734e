import type { ResultRow } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import type { Column } from "@ikg/policy-core/statements";
import { expandNode, expandRelationship } from "./expand.ts";
import { jsonOf } from "./whole.ts";

type Entry = readonly [string, unknown];

const wildcards: ReadonlySet<string> = new Set([
  "all",
  "all-properties",
  "property-and-metadata",
  "all-metadata",
  "all-trust",
]);

const entriesOf = (column: Column, value: unknown, pk: ProjectKey): readonly Entry[] => {
  switch (column.kind) {
    case "node":
      return wildcards.has(column.path.kind)
        ? expandNode(column.path, value)
        : [[column.path.text, jsonOf(value, pk)]];
    case "relationship":
      return column.path.kind === "all" && !Array.isArray(value)
        ? expandRelationship(column.path, value)
        : [[column.path.text, jsonOf(value, pk)]];
    case "aggregate":
      return [[column.aggregate, jsonOf(value, pk)]];
  }
};

/** One row of the answer: values under the query's paths as written (policies specification 9.3). */
export const resultRow = (columns: readonly Column[], row: Row, pk: ProjectKey): ResultRow => {
  const entries: Record<Column["kind"], Entry[]> = { node: [], relationship: [], aggregate: [] };
  for (const column of columns) entries[column.kind].push(...entriesOf(column, row[column.name], pk));
  const asked = (kind: Column["kind"]): boolean => columns.some((column) => column.kind === kind);
  return {
    nodes: Object.fromEntries(entries.node),
    ...(asked("relationship") ? { relationships: Object.fromEntries(entries.relationship) } : {}),
    ...(asked("aggregate") ? { aggregate_values: Object.fromEntries(entries.aggregate) } : {}),
  };
};
