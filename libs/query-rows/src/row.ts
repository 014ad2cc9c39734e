import type { ResultRow } from "@ikg/contracts";
import { isWildcard } from "@ikg/policy-core";
import type { Column } from "@ikg/policy-core/statements";
import { ExternalReference } from "./external-reference.ts";
import { expandNode, expandRelationship } from "./expand.ts";
import type { Fields } from "./fields.ts";
import { jsonOf, type ShownProject } from "./whole.ts";

type External = readonly [path: string, reference: ExternalReference];

/** A row before its external values are resolved: they are null in their places. */
export interface ProjectedRow {
  readonly row: ResultRow;
  readonly external: readonly External[];
}

/** What a row shows, while it is put together; everything but the nodes is made with the first that goes into it. */
interface Draft {
  readonly row: ResultRow;
  /** By path: a wildcard and a path of its own may both name one. */
  external: Map<string, ExternalReference> | undefined;
}

/** Stored fields of the node that came with a reference, as pairs of name and value. */
const nodeFieldsOf = (value: object): Fields => {
  const pairs: unknown = "fields" in value ? value.fields : undefined;
  return Array.isArray(pairs) ? (Object.fromEntries(pairs) as Fields) : {}; // as the statement says
};

/** A property's value, or its reference: of all that is stored in a property nothing is a map. */
const propertyValue = (name: string, value: unknown, project: ShownProject): unknown =>
  typeof value === "object" &&
  value !== null &&
  "resolver" in value &&
  "type" in value &&
  "external_id" in value
    ? new ExternalReference(value, name, nodeFieldsOf(value))
    : jsonOf(value, project);

/** Assigning to `__proto__` would change the object instead of adding a key. */
const set = (target: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true });
  else target[key] = value;
};

const putNode = (draft: Draft, path: string, value: unknown): void => {
  const { nodes } = draft.row;
  if (value instanceof ExternalReference) {
    draft.external ??= new Map();
    if (!draft.external.has(path)) draft.external.set(path, value);
    set(nodes, path, null);
  } else set(nodes, path, value);
};

const put = (draft: Draft, column: Column, value: unknown, project: ShownProject): void => {
  const { row } = draft;
  switch (column.kind) {
    case "node": {
      const { path } = column;
      if (path.kind === "property") putNode(draft, path.text, propertyValue(path.name, value, project));
      else if (isWildcard(path))
        for (const [name, each] of expandNode(path, value)) putNode(draft, name, each);
      else set(row.nodes, path.text, jsonOf(value, project));
      return;
    }
    case "relationship":
      row.relationships ??= {};
      if (column.path.kind === "all" && !Array.isArray(value))
        for (const [name, each] of expandRelationship(column.path, value)) set(row.relationships, name, each);
      else set(row.relationships, column.path.text, jsonOf(value, project));
      return;
    case "aggregate":
      row.aggregate_values ??= {};
      set(row.aggregate_values, column.aggregate, jsonOf(value, project));
  }
};

const nothing: readonly External[] = [];

/**
 * One row of the answer: values under the query's paths as written.
 *
 * @param values in the order of the columns.
 */
export const resultRow = (
  columns: readonly Column[],
  values: readonly unknown[],
  project: ShownProject,
): ProjectedRow => {
  const draft: Draft = { row: { nodes: {} }, external: undefined };
  // By number: an answer has a thousand rows.
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index];
    if (column !== undefined) put(draft, column, values[index], project);
  }
  return { row: draft.row, external: draft.external === undefined ? nothing : [...draft.external] };
};
