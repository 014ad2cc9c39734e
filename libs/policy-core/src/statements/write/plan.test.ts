import { describe, expect, it } from "@jest/globals";
import { nodeKey, projectKey } from "@ikg/physical";
import { compiled, policy } from "../../../test/writing-queries.ts";
import { compileQuery } from "../../query/query.ts";
import { maxRows } from "./match.ts";
import { planWrites } from "./plan.ts";
import { writeStatements } from "./statements.ts";

const pk = projectKey("00000000");

describe("the plan of a query that deletes as many properties of one alias as its text can name", () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `chart.property.p${at}`);
  const query = compileQuery(JSON.stringify({ delete_nodes: paths }), compiled(policy()));
  const statements = query.ok ? writeStatements(query.value, pk) : undefined;

  it("holds the nodes of as many rows as there may be once", () => {
    if (statements === undefined) throw new Error("the query is refused");
    const column = statements.match.nodes.get("chart") ?? "";
    const rows = Array.from({ length: maxRows }, (_, at) => ({ [column]: nodeKey(pk, "Chart", `c${at}`) }));
    const context = { now: "", newNodeId: () => "" };
    const planned = planWrites(statements, { nodes: [], relationships: [] }, rows, context);
    if (!planned.ok) throw new Error(planned.faults.join("; "));
    const plan = planned.value;
    expect(plan.deletes).toHaveLength(paths.length);
    expect(new Set(plan.deletes.map(({ params }) => params["keys"])).size).toBe(1);
    expect(plan.locks.params["keys"]).toHaveLength(maxRows);
    expect(plan.touched().deletedNodes).toHaveLength(maxRows);
    expect(plan.written().every(({ elements }) => elements === maxRows)).toBe(true);
  });
});
