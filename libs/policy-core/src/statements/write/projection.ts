import { keyField, nodeLabel, projectLabel, quoteName, type ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../../query/query.ts";
import { rowName } from "../../rewrite/values.ts";
import { columnsOf, printColumn, type Column } from "../columns.ts";

/** Step 4: what a page shows of nodes and relationships, after the upserts and before the deletes. */
export interface ProjectionStatement {
  readonly text: string;
  /** Names that it looks up: a row holds `n` and `r`, maps from name to key and to element id or ids. */
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
}

/** One relationship, or the hops of a variable length in their order; null where the pattern found none. */
const lookUp = (name: string, isVariableLength: boolean, pk: ProjectKey): string => {
  const end = `(:${quoteName(projectLabel(pk))})`;
  const at = `${rowName}.r.${quoteName(name)}`;
  if (!isVariableLength)
    return `OPTIONAL MATCH ${end}-[${quoteName(name)}]->${end} WHERE elementId(${quoteName(name)}) = ${at}`;
  return [
    `CALL (${rowName}) {`,
    `  UNWIND range(0, size(coalesce(${at}, [])) - 1) AS __hop`,
    `  MATCH ${end}-[__r]->${end} WHERE elementId(__r) = ${at}[__hop]`,
    "  WITH __r, __hop ORDER BY __hop",
    "  WITH collect(__r) AS __hops",
    `  RETURN CASE WHEN ${at} IS NULL THEN null ELSE __hops END AS ${quoteName(name)}`,
    "}",
  ].join("\n");
};

/**
 * Prints the projection of a writing query, or nothing when it shows neither nodes nor relationships. Takes `rows`
 * of `{i, n, r}`, each with `resolverFields` where there are any; the columns are those of `columnsOf` except aggregates, whose values the match gave, and `i`.
 */
export const projectionStatement = (
  query: KnowledgeQuery,
  pk: ProjectKey,
): ProjectionStatement | undefined => {
  const { bindings } = query.policy.condition.analysis;
  const columns = columnsOf(query, pk).filter(
    (column): column is Exclude<Column, { kind: "aggregate" }> => column.kind !== "aggregate",
  );
  if (columns.length === 0) return undefined;
  const aliases = (kind: "node" | "relationship"): readonly string[] => [
    ...new Set(columns.flatMap((column) => (column.kind === kind ? [column.path.alias] : []))),
  ];
  const [nodes, relationships] = [aliases("node"), aliases("relationship")];
  const lines = [
    `UNWIND $rows AS ${rowName}`,
    ...nodes.map((name) => {
      const pattern = `(${quoteName(name)}:${quoteName(projectLabel(pk))}&${nodeLabel}`;
      return `OPTIONAL MATCH ${pattern} {${keyField}: ${rowName}.n.${quoteName(name)}})`;
    }),
    ...relationships.map((name) => lookUp(name, bindings.get(name)?.kind.kind === "list", pk)),
    `RETURN ${[`${rowName}.i AS i`, ...columns.map((column) => printColumn(column, "row"))].join(", ")}`,
  ];
  return { text: lines.join("\n"), nodes, relationships };
};
