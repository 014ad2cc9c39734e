import { describe, expect, it } from "@jest/globals";
import type { Json } from "./ciq-under-test.ts";
import { useHospital, lists, old, here, cypher, nurse, setState, state } from "./hospital.ts";

useHospital();

const example = {
  policy: {
    subject: { type: "Nurse" },
    condition: {
      cypher,
      filter: [
        { attribute: "subject.external_id", operator: "=", value: "$token.sub" },
        { attribute: "chart.external_id", operator: "IN", value: "@subject.property.assigned" },
      ],
      token_filter: {
        attribute: "$token.auth_age",
        operator: "<=",
        value: 600,
        advice: { error: "insufficient_user_authentication", error_description: "sign in again" },
      },
    },
    allowed_reads: { nodes: ["chart.*", "w.property.name", "chart.trust_score.*"], relationships: ["h"] },
    allowed_upserts: {
      nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
      relationships: lists.allowed_upserts.relationships,
    },
    allowed_deletes: { nodes: ["chart.property.draft"] },
  },
  query: {
    filter: { attribute: "chart.external_id", operator: "=", value: "$chart" },
    upsert_nodes: [
      {
        name: "chart",
        properties: [
          {
            type: "state",
            value: "signed",
            metadata: [
              { type: "source", value: "$token.iss" },
              { type: "assurance_level", value: 2 },
            ],
          },
        ],
      },
      {
        name: "note",
        type: "Note",
        external_id: "$note_id",
        properties: [{ type: "text", value: "$text" }],
      },
    ],
    upsert_relationships: [
      {
        name: "sig",
        source: "subject",
        target: "chart",
        type: "SIGNED",
        properties: [{ type: "shift", value: "$shift" }],
      },
      { name: "ab", source: "note", target: "chart", type: "ABOUT" },
    ],
    delete_nodes: ["chart.property.draft"],
    nodes: ["chart.property.state", "chart.property.state.metadata.source", "note.external_id"],
    relationships: ["sig.shift"],
  },
  params: { chart: "c1", note_id: "n-9", text: "looks well", shift: "night" },
};

describe("an example of every kind of write", () => {
  it("answers and writes what it asks for", async () => {
    const rows = await here.execute(example.policy, example.query, { params: example.params });
    expect(rows).toEqual([
      {
        nodes: {
          "chart.property.state": "signed",
          "chart.property.state.metadata.source": "https://idp.example",
          "note.external_id": "n-9",
        },
        relationships: { "sig.shift": "night" },
      },
    ]);
    const chart = await here.node("Chart/c1");
    expect(chart?.fields).toMatchObject({
      state: "signed",
      "state.metadata.source": "https://idp.example",
      "state.metadata.assurance_level": 2,
      "state.metadata.note": "kept",
      title: "One",
    });
    expect(chart?.fields).not.toHaveProperty("draft");
    expect(await here.node("Note/n-9")).toMatchObject({ fields: { text: "looks well" } });
    expect(await here.edges("Nurse/n1", "SIGNED", "Chart/c1")).toHaveLength(1);
    expect(await here.edges("Note/n-9", "ABOUT", "Chart/c1")).toHaveLength(1);
  });

  it("needs the parameters that it names", async () => {
    const refused = await here.refusal(example.policy, example.query);
    expect(refused.status).toBe(422);
    expect(refused.errors.toSorted()).toEqual(
      ["chart", "note_id", "shift", "text"].map((name) => `missing or wrong input params, '${name}'`),
    );
  });
});

describe("upserts of existing nodes", () => {
  it("set listed properties, keep the rest, bump times also for an equal value", async () => {
    await here.execute(nurse(), setState({ type: "state", value: "open" }));
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(fields).toMatchObject({ state: "open", title: "One", create_time: old });
    expect(fields["update_time"]).not.toBe(old);
    expect(fields["state.update_time"]).toBe(fields["update_time"]);
  });

  it("merge metadata by key, and leave it alone without an entry", async () => {
    await here.execute(nurse(), setState(state));
    expect((await here.node("Chart/c1"))?.fields).toMatchObject({
      "state.metadata.source": "old",
      "state.metadata.note": "kept",
    });
    const verified = { type: "verified_time", value: "2026-01-01T01:00:00+01:00" };
    const custom = { type: "source", value: "$src" };
    const query = setState({ ...state, metadata: [verified, custom] });
    await here.execute(nurse(), query, { params: { src: "new" } });
    expect((await here.node("Chart/c1"))?.fields).toMatchObject({
      "state.metadata.source": "new",
      "state.metadata.note": "kept",
      "state.metadata.verified_time": "2026-01-01T00:00:00.000Z",
    });
  });

  it("refuse values that are absent or of a wrong kind, and write nothing", async () => {
    const cases: readonly (readonly [entry: Json, params: Json, error: string])[] = [
      [{ type: "state", value: "$v" }, { v: ["a", 1] }, "missing or wrong input params, 'v'"],
      [{ type: "state", value: "$v" }, { v: null }, "missing or wrong input params, 'v'"],
      [{ type: "state", external_value: "$v" }, { v: 1 }, "missing or wrong input params, 'v'"],
      [
        { type: "state", value: "x", metadata: [{ type: "verified_time", value: "$v" }] },
        { v: "2026-02-30T00:00:00Z" },
        "missing or wrong input params, 'v'",
      ],
      [
        { type: "state", value: "x", metadata: [{ type: "assurance_level", value: "$v" }] },
        { v: "2" },
        "missing or wrong input params, 'v'",
      ],
      [
        { type: "state", value: "$token.nothing" },
        {},
        "query.upsert_nodes[0].properties[0].value: $token.nothing is absent",
      ],
      [
        { type: "state", value: "$token.act" },
        {},
        "query.upsert_nodes[0].properties[0].value: $token.act cannot be used: string, number, boolean or a list of those expected",
      ],
    ];
    const before = await here.picture();
    const token = { sub: "n1", act: { sub: "x" } };
    for (const [entry, params, error] of cases) {
      const { status, errors } = await here.refusal(nurse(), setState(entry), { params, token });
      expect([entry, status, errors]).toEqual([entry, 422, [error]]);
    }
    expect(await here.picture()).toBe(before);
  });
});
