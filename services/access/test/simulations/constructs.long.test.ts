import { afterAll, beforeAll, describe, it } from "@jest/globals";
import type { PolicyText } from "../policies.ts";
import { become, check, open, owned, wrote } from "./compare.ts";
import { openOffice } from "./office.ts";
import { put, type SimulationsUnderTest, stored } from "./simulations-under-test.ts";

let service: SimulationsUnderTest;
beforeAll(async () => void (service = await openOffice()), 120_000);
afterAll(() => service?.close());

describe("a change of policies with every construct", () => {
  it.each<[string, "scan" | "pairs", PolicyText]>([
    [
      "aggregates",
      "scan",
      {
        cypher:
          "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team)-[:OWNS]->(resource:Document) WITH subject, resource, count(t) AS teams WHERE teams >= 1",
      },
    ],
    [
      "CALL",
      "scan",
      {
        version: "3.0-kbac",
        cypher:
          "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team) CALL (t) { MATCH (t)-[:OWNS]->(d:Document) RETURN count(d) AS owned } MATCH (resource:Document) WHERE owned > resource.property.level",
      },
    ],
    [
      "CALL that binds an end",
      "pairs",
      {
        version: "3.0-kbac",
        cypher:
          "CALL () { MATCH (subject:Person)-[:WROTE]->(resource:Document) RETURN subject, resource } MATCH (subject)-[:MEMBER_OF]->(t:Team) WHERE resource.property.level > 2",
      },
    ],
    [
      "a variable length",
      "scan",
      { cypher: "MATCH (subject:Person)-[:KNOWS*1..3]->(:Person)-[:WROTE]->(resource:Document)" },
    ],
    [
      "the id of the resource",
      "pairs",
      {
        cypher: "MATCH (subject:Person), (resource:Document) WHERE $resource_external_id IN ['d1', 'd2']",
      },
    ],
    [
      "a filter on the id of the resource",
      "pairs",
      { ...open, filter: { operator: "=", attribute: "$resource_external_id", value: "d3" } },
    ],
    [
      "a value that some pairs cannot be evaluated with",
      "scan",
      {
        cypher:
          "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < 3 AND date(resource.property.title) = date('2026-01-01')",
      },
    ],
  ])("%s", async (_name, method, text) => {
    await become(service, wrote, text, method, { others: [stored("open", open)] });
    // Beside a change: the policy itself stays.
    const others = [stored("other", text)];
    const before = [stored("rule", wrote), ...others];
    await check(service, {
      before,
      changes: [put("rule", owned)],
      after: [stored("rule", owned), ...others],
    });
  });

  it("2.0-kbac where several clauses bind the resource, and LIMIT", async () => {
    const several: PolicyText = {
      cypher:
        "MATCH (subject:Person)-[:WROTE]->(resource:Document) WITH subject, resource MATCH (resource:Document)<-[:OWNS]-(:Team)",
    };
    await become(service, several, open, "scan");
    const limited: PolicyText = {
      cypher:
        "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team) WITH subject, t LIMIT 1 MATCH (t)-[:OWNS]->(resource:Document)",
    };
    await become(service, limited, wrote, "pairs");
  });
});
