import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../../query/query.ts";
import type { Writes } from "../../query/read-upserts.ts";
import { atOnceText } from "./at-once.ts";
import { columnsOf, type Column } from "../columns.ts";
import { deleteStatements, type DeleteStatement } from "./deletes.ts";
import { matchStatement, type MatchStatement } from "./match.ts";
import { projectionStatement, type ProjectionStatement } from "./projection.ts";
import { nodeUpsertText, relationshipUpsertText } from "./upserts.ts";

/**
 * The statements of a writing query, in the order in which one write transaction runs them. They depend on the policy version
 * and the query alone; every value is a parameter.
 */
export interface WriteStatements {
  readonly pk: ProjectKey;
  readonly query: KnowledgeQuery;
  readonly writes: Writes;
  /** All of it as one statement, where that can be; see `atOnceText`. */
  readonly atOnce: string | undefined;
  readonly match: MatchStatement;
  /** One for each entry of `upsert_nodes`, in its order. */
  readonly nodes: readonly string[];
  /** One for each entry of `upsert_relationships`. */
  readonly relationships: readonly string[];
  readonly projection: ProjectionStatement | undefined;
  readonly deletes: readonly DeleteStatement[];
  /** The columns of a row: aggregates are answered by the match, the rest by the projection. */
  readonly columns: readonly Column[];
}

/** Prints the statements of a writing query; undefined for one that only reads. */
export const writeStatements = (query: KnowledgeQuery, pk: ProjectKey): WriteStatements | undefined => {
  const { writes } = query;
  if (writes === undefined) return undefined;
  return {
    pk,
    query,
    writes,
    atOnce: atOnceText(query, writes, pk),
    match: matchStatement(query, writes, pk),
    nodes: writes.upsertNodes.map((entry) => nodeUpsertText(entry, pk)),
    relationships: writes.upsertRelationships.map((entry) => relationshipUpsertText(entry, pk)),
    projection: projectionStatement(query, pk),
    deletes: deleteStatements(writes, pk),
    columns: columnsOf(query, pk),
  };
};
