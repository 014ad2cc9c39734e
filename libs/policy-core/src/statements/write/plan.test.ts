import { describe, expect, it } from "@jest/globals";
import { nodeKey, projectKey } from "@ikg/physical";
import { compiled, type Json, policy } from "../../../test/writing-queries.ts";
import { compileQuery } from "../../query/query.ts";
import { maxRows } from "./match.ts";
import { planWrites } from "./plan.ts";
import { writeStatements } from "./statements.ts";

const pk = projectKey("00000000");
const key = (id: string): string => nodeKey(pk, "Chart", id);

/** The plan for so many rows; in the first, `w` stands for a node with the external id `w0`, and `h` for a relationship `h0`. */
const planOf = (query: Json, count: number) => {
  const allowed_deletes = { nodes: ["chart.*", "w.*", "w"], relationships: ["h.note", "h"] };
  const checked = compileQuery(JSON.stringify(query), compiled(policy({ allowed_deletes })));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  const statements = writeStatements(checked.value, pk);
  if (statements === undefined) throw new Error("the query writes nothing");
  const { nodes, relationships } = statements.match;
  const rows = Array.from({ length: count }, (_, at) =>
    Object.fromEntries([
      ...[...nodes].map(([alias, column]) => [column, key(`${alias}${at}`)] as const),
      ...[...relationships].map(([alias, { id }]) => [id, `${alias}${at}`] as const),
    ]),
  );
  const context = { now: "", newNodeId: () => "" };
  const planned = planWrites(statements, { nodes: [], relationships: [] }, rows, context);
  if (!planned.ok) throw new Error(planned.faults.join("; "));
  return planned.value;
};

describe("the plan of a query that deletes as many properties of one alias as its text can name", () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `chart.property.p${at}`);

  it("holds the nodes of as many rows as there may be once", () => {
    const plan = planOf({ delete_nodes: paths }, maxRows);
    expect(plan.deletes).toHaveLength(paths.length);
    expect(new Set(plan.deletes.map(({ params }) => params["keys"])).size).toBe(1);
    expect(plan.locks.params["keys"]).toHaveLength(maxRows);
    expect(plan.effects().upsertedNodes).toHaveLength(maxRows);
    expect(plan.written().every(({ elements }) => elements === maxRows)).toBe(true);
  });
});

describe("the effects of deletes", () => {
  it("are changes where only properties are removed", () => {
    const parts = { delete_nodes: ["chart.property.p"], delete_relationships: ["h.note"] };
    expect(planOf(parts, 2).effects()).toEqual({
      upsertedNodes: [key("chart0"), key("chart1")],
      deletedNodes: [],
      upsertedRelationships: 2,
      deletedRelationships: 0,
    });
  });

  it("are one change of a relationship that is also upserted", () => {
    const both = {
      upsert_relationships: [{ name: "h", properties: [{ type: "seen", value: 1 }] }],
      delete_relationships: ["h.note"],
    };
    expect(planOf(both, 2).effects()).toMatchObject({ upsertedRelationships: 2, deletedRelationships: 0 });
  });

  it("are one deletion of an element that is deleted as a whole and in part", () => {
    const whole = { delete_nodes: ["w.property.p", "w"], delete_relationships: ["h.note", "h"] };
    expect(planOf(whole, 2).effects()).toEqual({
      upsertedNodes: [],
      deletedNodes: [key("w0"), key("w1")],
      upsertedRelationships: 0,
      deletedRelationships: 2,
    });
  });
});

describe("the locks of a plan", () => {
  it("are those of the ends of relationships that are deleted, and not of changed ones", () => {
    expect(planOf({ delete_relationships: ["h"] }, 2).locks.params).toEqual({ keys: [], ids: ["h0", "h1"] });
    expect(planOf({ delete_relationships: ["h.note"] }, 2).locks.params).toEqual({ keys: [] });
  });
});
