import { loadApplicationIds } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import type { RequestedQuery } from "./query-side.ts";

export interface ApplicationsParts {
  /** Where configuration records live. */
  readonly database: Database;
  readonly projectId: string;
  readonly options: StatementOptions;
}

/**
 * Queries with the id of the application that each is run as, which may be named.
 *
 * @throws Problem "unprocessable" (422) for applications that the project does not have: such a query would have no rows before
 *   nor after.
 */
export const withApplicationIds = async (
  { database, projectId, options }: ApplicationsParts,
  queries: readonly RequestedQuery[],
): Promise<readonly RequestedQuery[]> => {
  const names = queries.flatMap(({ as }) => as?.application ?? []);
  const ids = await loadApplicationIds(database, projectId, names, options);
  const errors = queries.flatMap(({ as }, index) =>
    as?.application === undefined || ids.has(as.application)
      ? []
      : [`queries[${index}].as.application: id or name of an application of the project expected`],
  );
  if (errors.length > 0) throw new Problem("unprocessable", { errors });
  return queries.map((query) => {
    const application = ids.get(query.as?.application ?? "");
    return application === undefined ? query : { ...query, as: { token: query.as?.token, application } };
  });
};
