import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { projectKey } from "@ikg/physical";
import { compileCiq } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { readStatement } from "@ikg/policy-core/statements";
import { elementIdsOf } from "./element-ids.ts";
import { resultRow } from "./row.ts";
import { wholeNode } from "./whole.ts";

const pk = projectKey("p1p1p1p1");
const project = { pk, ids: elementIdsOf(Buffer.alloc(32))(newGid("project")) };

interface Paths {
  nodes?: string[];
  relationships?: string[];
  aggregate_values?: string[];
}

const projected = (paths: Paths, values: unknown[]) => {
  const policy = compileCiq(
    JSON.stringify({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Nurse" },
      condition: { cypher: "MATCH (subject:Nurse)-[h:ON]->(w:Ward) WITH subject, h, w, 1 AS n" },
      allowed_reads: { nodes: ["w.*"], relationships: ["h"], aggregate_values: ["n"] },
    }),
  );
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  const query = compileQuery(JSON.stringify(paths), policy.value);
  if (!query.ok) throw new Error(query.faults.join("; "));
  const { columns } = readStatement(query.value, pk);
  return resultRow(columns, values, project);
};
const rowFor = (paths: Paths, values: unknown[]) => projected(paths, values).row;

const stored = {
  _key: "p1p1p1p1/Ward/w1",
  external_id: "w1",
  type: "Ward",
  id: "gid:x",
  create_time: "2026-01-01T00:00:00.000Z",
  name: "East",
  "name.metadata.source": "hr",
  "name.update_time": "2026-01-01T00:00:00.000Z",
  "_p.type": "surgical",
  "temperature.external_value": "thermometer",
};

describe("a row of an answer", () => {
  it("has the members of a whole node in one order, whatever was written to it last", () => {
    const whole = (properties: object) =>
      JSON.stringify(wholeNode({ identity: 1, elementId: "e", labels: [], properties } as never, project));
    const reversed = Object.fromEntries(Object.entries(stored).toReversed());
    expect(whole(reversed)).toBe(whole(stored));
  });

  it("has values under the paths as written, null for what is absent", () => {
    expect(
      rowFor({ nodes: ["w.property.name", "w.property.none"], relationships: ["h.since"] }, [
        "East",
        null,
        3,
      ]),
    ).toEqual({
      nodes: { "w.property.name": "East", "w.property.none": null },
      relationships: { "h.since": 3 },
    });
  });

  it("expands a wildcard into system fields and properties, without metadata and without our own fields", () => {
    expect(rowFor({ nodes: ["w.*"] }, [stored])).toEqual({
      nodes: {
        "w.external_id": "w1",
        "w.type": "Ward",
        "w.id": "gid:x",
        "w.create_time": "2026-01-01T00:00:00.000Z",
        "w.property.name": "East",
        "w.property.type": "surgical",
        "w.property.temperature": null,
      },
    });
  });

  it("expands narrower wildcards", () => {
    expect(rowFor({ nodes: ["w.property.name.*"] }, [stored]).nodes).toEqual({
      "w.property.name": "East",
      "w.property.name.metadata.source": "hr",
    });
    expect(rowFor({ nodes: ["w.property.name.metadata.*"] }, [stored]).nodes).toEqual({
      "w.property.name.metadata.source": "hr",
    });
    expect(rowFor({ nodes: ["w.trust_score.*"] }, [null]).nodes).toMatchObject({
      "w.trust_score._final_score": null,
      "w.trust_score._completeness": null,
    });
    expect(rowFor({ nodes: ["w.*"] }, [null]).nodes).toEqual({});
  });

  it("has null where a value is external, and says what would have to be asked", () => {
    const columns = [
      "w.property.*",
      "w.property.temperature",
      "w.property.temperature.value",
      "w.external_id",
    ];
    const reference = { resolver: "thermometer", external_id: "w1", type: "Ward" };
    const { row, external } = projected({ nodes: columns }, [stored, reference, reference, "w1"]);
    expect(row.nodes).toMatchObject({
      "w.property.name": "East",
      "w.property.temperature": null,
      "w.property.temperature.value": null,
      "w.external_id": "w1",
    });
    const expected = {
      resolver: "thermometer",
      externalId: "w1",
      nodeType: "Ward",
      property: "temperature",
    };
    expect(external).toEqual([
      ["w.property.temperature", expected],
      ["w.property.temperature.value", expected],
    ]);
    expect(projected({ nodes: ["w", "w.property.temperature.metadata.*"] }, [null, stored]).external).toEqual(
      [],
    );
  });

  it("is made in time in proportion to its external values", () => {
    const fields = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, at) => [`p${at}.external_value`, "thermometer"]),
    );
    expect(projected({ nodes: ["w.property.*"] }, [fields]).external).toHaveLength(100_000);
  });

  it("has aggregates only when asked", () => {
    expect(rowFor({ aggregate_values: ["n"] }, [[1, { a: [2] }]])).toEqual({
      nodes: {},
      aggregate_values: { n: [1, { a: [2] }] },
    });
  });
});
