import type { CatalogProject } from "@ikg/catalog";
import type { SimulatedRefusal, SimulationRequest } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { bindValues, type Inputs, missingParameterText, rowValues } from "@ikg/policy-core";
import {
  type KnowledgeQuery,
  permitQuery,
  pinnedSubjectKey,
  type QueryRefusal,
} from "@ikg/policy-core/queries";
import {
  maxRows,
  queryRowsStatement,
  type QueryRowsStatement,
  requestKeys,
} from "@ikg/policy-core/statements";
import { tokenOf } from "../decisions/token-of.ts";
import type { CallableQuery } from "./query-versions.ts";

export type RequestedQuery = NonNullable<SimulationRequest["queries"]>[number];

/** A query in one of the two states, for one caller: what it runs, or why it does not. */
export type QuerySide =
  | { readonly refused: SimulatedRefusal; readonly statement: undefined }
  | {
      readonly refused: undefined;
      readonly statement: QueryRowsStatement;
      readonly parameters: Row;
      readonly writes: boolean;
    };

/** A side that does not run. */
export const refusedSide = (refused: SimulatedRefusal): QuerySide => ({ refused, statement: undefined });

const toSimulatedRefusal = (refusal: QueryRefusal): SimulatedRefusal => {
  switch (refusal.reason) {
    case "token_required":
      return { code: "bearer_required" };
    case "token_filter":
      return { code: "token_filter_failed" };
    case "parameters":
      return { code: "input_param_missing", errors: refusal.missing.map(missingParameterText) };
    case "faults":
      return { code: "unprocessable", errors: refusal.faults };
  }
};

/** The refusal of a writing query that matches more rows than an execution writes. */
export const tooManyRows: SimulatedRefusal = {
  code: "unprocessable",
  errors: [`query: more than ${maxRows} rows match; nothing would be written`],
};

/** Every execution has an application that calls; a simulation has the one that its request names. */
const applicationMissing: SimulatedRefusal = {
  code: "unprocessable",
  errors: [
    "as.application: the calling application expected, by id or name, because the policy or query reads it",
  ],
};

const readsApplication = ({ policy, needs }: KnowledgeQuery): boolean =>
  policy.pin === "application" || [...needs.references.values()].some(({ kind }) => kind === "application");

/** Decides whether the query runs, as an execution does, and prepares it. */
export const querySide = (
  { project }: { readonly project: CatalogProject },
  callable: CallableQuery | undefined,
  { as, input_params }: RequestedQuery,
): QuerySide => {
  if (callable === undefined) return refusedSide({ code: "not_found" });
  const token = as?.token && tokenOf(as.token);
  const application = as?.application;
  const inputs: Inputs = { inputParams: input_params, token: token?.claims, applicationId: application };
  const permitted = permitQuery(callable.policy, callable.query, inputs);
  if (!permitted.permitted) return refusedSide(toSimulatedRefusal(permitted.refusal));
  const { query } = permitted;
  if (application === undefined && readsApplication(query)) return refusedSide(applicationMissing);
  const values = bindValues(query.needs, inputs);
  const caller = { application, tokenSubject: token?.subject };
  const row = {
    [requestKeys.subject]: pinnedSubjectKey(callable.policy, project.pk, caller),
    ...rowValues(values),
  };
  return {
    refused: undefined,
    statement: queryRowsStatement(query, project.pk),
    parameters: { __row: row },
    writes: query.writes !== undefined,
  };
};
