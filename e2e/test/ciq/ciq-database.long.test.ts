import { describe, expect, it } from "@jest/globals";
import { ciqPolicy, openQuery } from "../../src/configuration/open-query.ts";
import { createTenant } from "../../src/configuration/tenant.ts";
import { policyErrors } from "../../src/configuration/validate-text.ts";
import { tenant, ref, useWard, ofApplication, reads } from "../../src/fixtures/ward.ts";
import { capture } from "../../src/requests/capture.ts";

useWard();

describe("the tests of the database", () => {
  it("of two projects with the same data, a query reads and counts its own alone", async () => {
    const other = await createTenant("ward-twin");
    try {
      await capture({ nodes: ["a", "b"].map((id) => ({ ...ref("Twin")(id) })), relationships: [] }, other);
      await capture({ nodes: [ref("Twin")("a")], relationships: [] }, tenant);
      for (const [mine, count] of [
        [tenant, 1],
        [other, 2],
      ] as const)
        for (const pattern of ["MATCH (x:Twin)", "MATCH (x:Twin&!Chart)", "MATCH (x) WHERE x:Twin"]) {
          const counting = ofApplication(`${pattern} WITH subject, count(x) AS n`, {
            allowed_reads: { aggregate_values: ["n"] },
          });
          const query = await openQuery(mine, counting, { aggregate_values: ["n"] });
          expect(await query.rows()).toEqual([{ nodes: {}, aggregate_values: { n: count } }]);
        }
    } finally {
      await other.remove();
    }
  }, 120_000);

  const strange: readonly (readonly [string, string, string | number])[] = [
    ["a text escape", "MATCH (x:Chart) WHERE x.external_id = '\\u0063\\u0031'", "\\u"],
    ["a dash that is none", "MATCH (x:Chart)\u2013[:HOLDS]\u2013(y)", "unexpected"],
    ["a name before a text", "MATCH (x:Chart) WHERE x.external_id = s'c1'", "unexpected"],
    ["a clause in parentheses", "MATCH (x:Chart) (WHERE true)", "unexpected"],
    ["a clause in a node", "MATCH (x:Chart WHERE x.external_id = 'c1')", 1],
    [
      "a name with back-quotes",
      "MATCH (`x``]`:Chart) WITH subject, `x``]` AS x WHERE x.external_id = 'c1'",
      "is not a name for an alias",
    ],
    [
      "a type with back-quotes",
      "MATCH (x:Chart {external_id: 'c1'}) WHERE NOT (x)-[:`A``]-() DETACH DELETE x //`]-()",
      1,
    ],
    [
      "an alias called property",
      "MATCH (property:Chart) WITH subject, property, property AS x WHERE property.property.rank = 5",
      1,
    ],
    [
      "comments that hold clauses",
      "MATCH (x:Chart) /* ) DETACH DELETE x */ WHERE x.external_id = 'c1' // MATCH (y)",
      1,
    ],
    [
      "a text that closes nothing",
      "MATCH (x:Chart) WHERE x.external_id <> '\\') DETACH DELETE (x' AND x.property.rank = 5",
      1,
    ],
    ["no blank between clauses", "MATCH (x:Chart)WHERE x.property.rank = 5", 1],
  ];
  it.each(strange)("%s", async (_name, pattern, outcome) => {
    const policy = ofApplication(pattern, reads("x.external_id"));
    const faults = await policyErrors(tenant.projectId, ciqPolicy(policy));
    if (typeof outcome === "string") return expect(faults.join("\n")).toContain(outcome);
    expect(faults).toEqual([]);
    const query = await openQuery(tenant, policy, { nodes: ["x.external_id"] });
    expect(await query.rows()).toHaveLength(outcome);
  });

  it("values keep type and order through a query that writes and one that reads", async () => {
    const values = {
      i: 30,
      f: 30.5,
      big: 2 ** 53 - 1,
      t: "30",
      b: false,
      l: ["b", "a", ""],
      n: [2, 1],
      e: [],
    };
    const names = Object.keys(values);
    const query = await openQuery(
      tenant,
      ofApplication("", {
        ...reads("subject.external_id"),
        allowed_upserts: { nodes: { node_types: ["Value"] } },
      }),
      {
        upsert_nodes: [
          {
            name: "v",
            type: "Value",
            external_id: "v",
            properties: names.map((type) => ({ type, value: `$${type}` })),
          },
        ],
        nodes: names.map((type) => `v.property.${type}`),
      },
    );
    const expected = {
      nodes: Object.fromEntries(Object.entries(values).map(([name, value]) => [`v.property.${name}`, value])),
    };
    expect(await query.rows({ input_params: values })).toEqual([expected]);
    const reading = await openQuery(tenant, ofApplication("MATCH (v:Value)", reads("v.*")), {
      nodes: names.map((type) => `v.property.${type}`),
    });
    expect(await reading.rows()).toEqual([expected]);
  });
});
