import type { Row } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, compileCiq, compileKbac } from "../../src/index.ts";
import { compileQuery } from "../../src/query/index.ts";
import { decideStatement, isBatchable, readStatement, searchStatement } from "../../src/statements/index.ts";
import { ciqPolicies, kbacPolicies } from "./policies.ts";

/** One statement with what it is run with. */
export interface Run {
  readonly name: string;
  readonly text: string;
  readonly params: Row;
}

const good = <T>(
  checked: { ok: true; value: T } | { ok: false; faults: readonly string[] },
  name: string,
): T => {
  if (!checked.ok) throw new Error(`${name}: ${checked.faults.join("; ")}`);
  return checked.value;
};

const page = { after: "", limit: 100 };

/** The decision of a policy and both its searches. */
const kbacRuns = (pk: ProjectKey, given: (typeof kbacPolicies)[number], turbine: string): readonly Run[] => {
  const { name, cypher, version = "2.0-kbac", inputParams = {}, token } = given;
  const json = {
    meta: { policy_version: version },
    subject: { type: "Engineer" },
    actions: ["OPERATE"],
    resource: { type: "Turbine" },
    condition: { cypher },
  };
  const policy = good(compileKbac(JSON.stringify(json)), name);
  const form = isBatchable(policy) ? "row" : "plain";
  const row = {
    i: 0,
    c0: true,
    s: nodeKey(pk, "Engineer", "e7"),
    r: nodeKey(pk, "Turbine", turbine),
    ...page,
    ...bindRow(policy.needs, { inputParams, token }),
  };
  const params = form === "row" ? { rows: [row] } : { __row: row };
  return [
    { name: `${name}: decision`, text: decideStatement([policy], pk, form).text, params },
    { name: `${name}: resources`, text: searchStatement(policy, pk, "resource"), params: { __row: row } },
    { name: `${name}: subjects`, text: searchStatement(policy, pk, "subject"), params: { __row: row } },
  ];
};

const ciqRun = (pk: ProjectKey, given: (typeof ciqPolicies)[number]): Run => {
  const { name, cypher, filter = [], nodes, aggregates = [], inputParams = {}, pageToken = 0 } = given;
  const policy = good(
    compileCiq(
      JSON.stringify({
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "Engineer" },
        condition: { cypher, filter },
        allowed_reads: { nodes, aggregate_values: aggregates },
      }),
    ),
    name,
  );
  const query = good(compileQuery(JSON.stringify({ nodes, aggregate_values: aggregates }), policy), name);
  const row = {
    s: nodeKey(pk, "Engineer", "e7"),
    skip: pageToken,
    take: 10,
    ...bindRow(query.needs, { inputParams, token: { sub: "e7" } }),
  };
  return { name, text: readStatement(query, pk).text, params: { __row: row } };
};

/** Everything that is recorded. @param turbine the one that decisions ask about */
export const runsOf = (pk: ProjectKey, turbine = "t47"): readonly Run[] => [
  ...kbacPolicies.flatMap((policy) => kbacRuns(pk, policy, turbine)),
  ...ciqPolicies.map((policy) => ciqRun(pk, policy)),
];
