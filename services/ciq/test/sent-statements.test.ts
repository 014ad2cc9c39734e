import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { compileQuery } from "@ikg/policy-core/queries";
import { previewQuery } from "@ikg/policy-core/statements";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type Json, openProject, policyOf, type TestProject } from "./ciq-under-test.ts";

const sent: string[] = [];
let graph: Graph;
let project: TestProject;

beforeAll(async () => {
  const settings = neo4jOfTests();
  graph = connectGraph(settings, { onStatement: ({ text }) => void sent.push(text) });
  await graph.prepare();
  project = await openProject(graph, {
    nodes: { "Person/ann": {}, "Car/beetle": {} },
    edges: [["Person/ann", "OWNS", "Car/beetle"]],
  });
});
afterAll(async () => {
  await project?.drop();
  await graph.close();
});

const policy: Json = {
  subject: { type: "Person" },
  condition: {
    cypher: "MATCH (subject:Person)-[r:OWNS]->(car:Car)",
    filter: [{ operator: "=", attribute: "subject.external_id", value: "$who" }],
  },
  allowed_reads: { nodes: ["car.external_id", "car.property.price"] },
  allowed_upserts: { nodes: { existing_nodes: ["car"] } },
  allowed_deletes: { relationships: ["r"] },
};

const purposesSent = async (query: Json, params: Json): Promise<readonly (readonly [string, boolean])[]> => {
  sent.length = 0;
  await project.execute(policy, query, { params: { who: "ann", ...params } });
  const compiled = compileQuery(JSON.stringify(query), policyOf(policy));
  if (!compiled.ok) throw new Error(compiled.faults.join("; "));
  return previewQuery(compiled.value, project.pk).map(({ purpose, text }) => [purpose, sent.includes(text)]);
};

describe("what a preview shows of a query", () => {
  it("is the read that is sent", async () => {
    expect(await purposesSent({ nodes: ["car.external_id", "car.property.price"] }, {})).toEqual([
      ["read", true],
    ]);
  });

  it("is the match and each step of a writing query, where they are not sent at once", async () => {
    const query = {
      nodes: ["car.property.price"],
      upsert_nodes: [{ name: "car", properties: [{ type: "price", value: "$price" }] }],
      delete_relationships: ["r"],
    };
    expect(await purposesSent(query, { price: 7 })).toEqual([
      ["match", true],
      ["upsert node car", true],
      ["projection", true],
      ["delete 1", true],
    ]);
  });
});
