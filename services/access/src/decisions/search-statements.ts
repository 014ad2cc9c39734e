import type { CatalogProject, StoredKbacPolicy } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import { DataFault, type Graph, type StatementOptions } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import { bindRow, type Inputs } from "@ikg/policy-core";
import {
  compositeSearchStatement,
  type DecisionSwitches,
  type DecisionEnd,
  requestKeys,
  searchStatement,
} from "@ikg/policy-core/statements";
import type { DatabaseTarget } from "./database-target.ts";
import { memoizeByIdentity } from "./memoize-by-identity.ts";
import { type Find, seekAfter } from "./seek.ts";
import { dataFaultAsUnprocessable, withDecisionTimeoutAsUnavailable } from "./statement-errors.ts";

const inSeveralDatabases =
  "policy: the nodes that are searched for are in several databases; it can be evaluated, but not searched";

/** The statement that searches by one candidate. */
export type SearchText = (
  candidate: StoredKbacPolicy,
  project: CatalogProject,
  target: DatabaseTarget | undefined,
) => string;

/**
 * Prints statements once for each candidate, which lives as long as the catalog's snapshot of the project.
 *
 * @returns a function that throws Problem "unprocessable" (422) for a candidate that cannot be searched over several
 *   databases.
 */
export const searchTexts = (sought: DecisionEnd, switches: DecisionSwitches): SearchText => {
  const textOf = memoizeByIdentity(({ policy }: StoredKbacPolicy, pk: ProjectKey) =>
    searchStatement(policy, pk, sought, switches),
  );
  return (candidate, { pk }, target) => {
    if (target?.databasePart === "composite") {
      const text = compositeSearchStatement(candidate.policy, pk, sought, switches);
      if (text === undefined) throw new Problem("unprocessable", { errors: [inSeveralDatabases] });
      return text;
    }
    return textOf(candidate, pk);
  };
};

/** A search by the statement of one candidate. */
export interface StatementSearch {
  readonly graph: Graph;
  readonly project: CatalogProject;
  readonly text: string;
  readonly target: DatabaseTarget | undefined;
  /** The key of the end that is known. */
  readonly knownEnd: Readonly<Record<string, string>>;
  readonly inputs: Inputs;
  readonly options: StatementOptions;
  /** Called with the Problem of a candidate that cannot be evaluated with these values; it finds nothing then. */
  readonly onFault: (problem: unknown) => void;
}

/** Finds by the statement of a candidate. */
export const findByStatement = (candidate: StoredKbacPolicy, search: StatementSearch): Find => {
  const { graph, project, text, target, knownEnd, inputs, options, onFault } = search;
  const values = bindRow(candidate.policy.condition.analysis.report.needs, inputs);
  const database = graph.of(project, target?.databasePart, "query");
  const seek: Find = async (after, limit) => {
    const row = {
      ...knownEnd,
      after,
      limit,
      ...values,
      ...(target && { [requestKeys.graphs]: target.graphs }),
    };
    try {
      const rows = await withDecisionTimeoutAsUnavailable(database.read(text, { __row: row }, options));
      return { ids: rows.map((each) => String(each["id"])) };
    } catch (error) {
      if (!(error instanceof DataFault)) throw error;
      onFault(dataFaultAsUnprocessable(error));
      return { ids: [] };
    }
  };
  return (after, limit) => seekAfter(seek, after, limit);
};
