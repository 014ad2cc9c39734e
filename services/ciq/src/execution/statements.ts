import type { CatalogProject } from "@ikg/catalog";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import {
  type ReadStatement,
  readStatement,
  type WriteStatements,
  writeStatements,
} from "@ikg/policy-core/statements";

/** The statements of a query: of its one read, or of its writes. */
export type QueryStatements =
  | { readonly kind: "read"; readonly read: ReadStatement }
  | { readonly kind: "write"; readonly write: WriteStatements };

const statementsOf = (query: KnowledgeQuery, project: CatalogProject): QueryStatements => {
  const write = writeStatements(query, project.pk);
  return write === undefined
    ? { kind: "read", read: readStatement(query, project.pk) }
    : { kind: "write", write };
};

/** Statements are made once for each compiled query; it lives as long as the catalog's view of its project. */
export const preparedStatements = (): typeof statementsOf => {
  const known = new WeakMap<KnowledgeQuery, QueryStatements>();
  return (query, project) => {
    const found = known.get(query);
    if (found !== undefined) return found;
    const made = statementsOf(query, project);
    known.set(query, made);
    return made;
  };
};
