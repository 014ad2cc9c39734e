import type { DataSchema, IkgAdmin, KnowledgeQueryRecord } from "@ikg/client";
import { tokenClaims } from "../../../snippets/token-claims.ts";
import type { QueryPolicy } from "../use-query-policies.ts";
import type { RunResult } from "../run/execute.ts";
import { queryTestOf } from "./query-test.ts";
import { readGraph, testedTypes } from "./read-graph.ts";

interface TestedQuery {
  readonly result: RunResult;
  readonly record: KnowledgeQueryRecord;
  readonly policy: QueryPolicy;
  /** Undefined where the administrator may not read it. */
  readonly schema: DataSchema | undefined;
  readonly mayExport: boolean;
}

export interface PolicyTest {
  readonly text: string;
  /** What its reader has to know, or to add. */
  readonly remarks: readonly string[];
}

const graphRemark = ({ schema, mayExport }: TestedQuery): string =>
  mayExport && schema !== undefined
    ? "The graph is too large for a file: add the nodes and relationships that the rows come from."
    : "You cannot export the graph: add the nodes and relationships that the rows come from.";

const remarksOf = (tested: TestedQuery, hasGraph: boolean, hasClaims: boolean): readonly string[] => {
  const { result } = tested;
  const { found, explanation, request, credentials } = result;
  const hasToken = credentials.token !== undefined;
  return [
    ...(hasGraph ? [] : [graphRemark(tested)]),
    ...(hasToken && hasClaims
      ? ["The claims of the token are in the file, under people; the token is not."]
      : []),
    ...(hasToken && !hasClaims ? ["The token is opaque: add its claims to the file, under people."] : []),
    ...(request.writes ? ["The graph is as it was after the run: what the query wrote is in the file."] : []),
    ...(found.errors.length > 0 || (explanation?.resolvers?.length ?? 0) > 0
      ? ["Values came from resolvers: add what they answer, under resolvers."]
      : []),
  ];
};

/** The text of the version that ran, where the explanation names it; else that of today. */
const textsOf = async (admin: IkgAdmin, { result, record, policy }: TestedQuery) => {
  const { explanation } = result;
  if (explanation === undefined) return { policy: policy.record, query: record };
  const [ranPolicy, ranQuery] = await Promise.all([
    admin.policies.get(explanation.policy.id, { version: explanation.policy.version }),
    admin.queries.get(explanation.query.id, { version: explanation.query.version }),
  ]);
  return { policy: ranPolicy, query: ranQuery };
};

/** Reads what a policy test of a run needs, and writes it. */
export const readQueryTest = async (admin: IkgAdmin, tested: TestedQuery): Promise<PolicyTest> => {
  const { result, schema, mayExport, policy: current } = tested;
  const { policy, query } = await textsOf(admin, tested);
  const { cypher, subjectType } = current.allowed;
  const world = mayExport && schema !== undefined ? testedTypes(schema, cypher, subjectType) : undefined;
  const graph = world === undefined ? undefined : await readGraph(admin, world.types);
  const { token } = result.credentials;
  const claims = token === undefined ? undefined : tokenClaims(token);
  const text = queryTestOf({
    query: { name: query.name, text: query.query },
    policy: { name: policy.name, text: policy.policy },
    params: result.request.params,
    claims,
    at: result.at,
    nodes: graph?.nodes ?? [],
    relationships: graph?.relationships ?? [],
    rows: result.found.rows,
  });
  return { text, remarks: remarksOf(tested, graph !== undefined, claims !== undefined) };
};
