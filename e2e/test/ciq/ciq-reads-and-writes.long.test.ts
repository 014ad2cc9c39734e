import { describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { ciqPolicy, type OpenQuery, openQuery } from "../../src/configuration/open-query.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { queryErrors } from "../../src/configuration/validate-text.ts";
import {
  tenant,
  census,
  ward,
  chart,
  charts,
  useWard,
  bearer,
  cypher,
  person,
  ofCharts,
  ofApplication,
  reads,
  idsOf,
  set,
  only,
  shown,
} from "../../src/fixtures/ward.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";
import { execute, executePage } from "../../src/requests/execute.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { takeEffect } from "../../src/take-effect.ts";

/** Rules of queries, through the gateway. */
useWard();

/** Updates charts of low rank, and attaches one note to all of them. */
const openUpsert = (): Promise<OpenQuery> =>
  openQuery(
    tenant,
    ofCharts({
      ...reads("chart.*", "chart.property.rank.metadata.*"),
      allowed_upserts: {
        nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
        relationships: {
          relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" }],
        },
      },
    }),
    {
      filter: { attribute: "chart.property.rank", operator: "<=", value: 3 },
      upsert_nodes: [
        {
          name: "chart",
          properties: [
            { type: "title", value: "$title" },
            { type: "rank", value: 2, metadata: [{ type: "source", value: "hand" }] },
          ],
        },
        {
          name: "note",
          type: "Note",
          external_id: "$note",
          properties: [{ type: "text", value: "$title" }],
        },
      ],
      upsert_relationships: [{ name: "ab", source: "note", target: "chart", type: "ABOUT" }],
      nodes: [
        "chart.property.title",
        "chart.property.draft",
        "chart.property.rank",
        "chart.property.rank.metadata.*",
        "note.external_id",
      ],
      relationships: ["ab.type"],
    },
  );

describe("the checks of policies and queries", () => {
  it("a missing claim fails =, <> and NOT =, and no token at all fails IS NULL", async () => {
    const leaf = (operator: string, more: object = {}) => ({ attribute: "$token.level", operator, ...more });
    const filters = {
      equal: leaf("=", { value: 1 }),
      other: leaf("<>", { value: 1 }),
      notEqual: { operator: "NOT", operands: [leaf("=", { value: 1 })] },
      absent: leaf("IS NULL"),
      notPresent: { operator: "NOT", operands: [leaf("IS NOT NULL")] },
    };
    const answers = await inParallel(Object.entries(filters), async ([name, filter]) => {
      const query = await openQuery(
        tenant,
        ofApplication("", reads("subject.external_id"), { filter: [filter] }),
        { nodes: ["subject.external_id"] },
      );
      const count = async (token?: string) => (await query.rows({ bearer: token })).length;
      return [
        name,
        [await count(await bearer()), await count(), await count(await bearer("n1", { level: 1 }))],
      ];
    });
    // With a token without the claim, without a token, with a token whose claim is 1.
    expect(Object.fromEntries(answers)).toEqual({
      equal: [0, 0, 1],
      other: [0, 0, 0],
      notEqual: [0, 0, 0],
      absent: [1, 0, 0],
      notPresent: [1, 0, 0],
    });
  });

  it("alias.* reads and never deletes the node, and alias in allowed_deletes deletes no property", async () => {
    const wide = await savePolicy(tenant.projectId, {
      policy: ciqPolicy(ofCharts({ ...reads("chart.*"), allowed_deletes: { nodes: ["chart.*"] } })),
    });
    const whole = await savePolicy(tenant.projectId, {
      policy: ciqPolicy(ofCharts({ allowed_deletes: { nodes: ["chart"] } })),
    });
    const faults = (policyId: string, query: object) => queryErrors(tenant.projectId, policyId, query);
    expect(await faults(wide, { nodes: ["chart", "chart.property.rank", "chart.*"] })).toEqual([]);
    expect(await faults(wide, { delete_nodes: ["chart.property.draft"] })).toEqual([]);
    expect(await faults(wide, { delete_nodes: ["chart"] })).toEqual([
      "query.delete_nodes[0]: chart is not in allowed_deletes.nodes",
    ]);
    expect(await faults(whole, { delete_nodes: ["chart"] })).toEqual([]);
    expect(await faults(whole, { delete_nodes: ["chart.property.draft"] })).toEqual([
      "query.delete_nodes[0]: chart.property.draft is not in allowed_deletes.nodes",
    ]);
  });

  it("a path that may not be read is 422 on save, and on execute once the policy is narrower", async () => {
    const lists = {
      ...reads("chart.property.rank", "chart.property.title"),
      allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
    };
    const query = {
      upsert_nodes: [set("seen", "$seen")],
      nodes: ["chart.property.rank", "chart.property.title"],
    };
    const saved = await openQuery(tenant, ofCharts(lists), query);
    expect(await queryErrors(tenant.projectId, saved.policyId, { nodes: ["chart.property.draft"] })).toEqual([
      "query.nodes[0]: chart.property.draft is not in allowed_reads.nodes",
    ]);
    expect(await saved.rows({ bearer: await bearer(), input_params: { seen: 1 } })).toHaveLength(5);
    const before = await census();
    const text = ciqPolicy(ofCharts({ ...lists, ...reads("chart.property.rank") }));
    await openAdmin().policies.update(saved.policyId, () => ({
      policy: JSON.stringify(text),
      status: "ACTIVE",
    }));
    await takeEffect();
    const answer = await saved.ask({ bearer: await bearer(), input_params: { seen: 2 } });
    expect(requireRefusal(answer, 422)).toEqual([
      "query.nodes[1]: chart.property.title is not in allowed_reads.nodes",
    ]);
    const after = await census();
    expect([after.nodes, after.relationships]).toEqual([before.nodes, before.relationships]);
  });

  it("an upsert keeps what it does not list, repeats as it was, and makes one node for three rows", async () => {
    const query = await openUpsert();
    const run = async () =>
      query.rows({ bearer: await bearer(), input_params: { title: "new", note: "note-9" } });
    const timeless = async () => {
      const { nodes, relationships } = await census();
      return JSON.stringify([nodes, relationships], (key, value: unknown) =>
        key.endsWith("_time") ? undefined : value,
      );
    };
    const rows = await run();
    expect(rows).toEqual(
      ["draft 1", "draft 2", "draft 3"].map((draft) => ({
        nodes: {
          "chart.property.title": "new",
          "chart.property.draft": draft,
          "chart.property.rank": 2,
          "chart.property.rank.metadata.source": "hand",
          "chart.property.rank.metadata.unit": "kg",
          "note.external_id": "note-9",
        },
        relationships: { "ab.type": "ABOUT" },
      })),
    );
    const once = await timeless();
    expect(await run()).toEqual(rows);
    expect(await timeless()).toBe(once);
    const { nodes, relationships } = await census();
    expect(nodes.filter((row) => row.nodes["n.type"] === "Note")).toHaveLength(1);
    expect(relationships.filter((row) => row.relationships?.["r.type"] === "ABOUT")).toHaveLength(3);
  });

  it("one query that updates, deletes and reads sees new values and what is deleted, which is gone afterwards", async () => {
    const query = await openQuery(
      tenant,
      ofCharts({
        ...reads("chart.*"),
        allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
        allowed_deletes: { nodes: ["chart.property.draft"], relationships: ["h.since"] },
      }),
      {
        filter: only("c5"),
        upsert_nodes: [set("state", "$state")],
        delete_nodes: ["chart.property.draft"],
        delete_relationships: ["h.since"],
        nodes: ["chart.property.state", "chart.property.draft"],
        relationships: ["h.since"],
      },
    );
    const run = async () => query.rows({ bearer: await bearer(), input_params: { state: "signed" } });
    const row = (draft: unknown, since: unknown) => [
      {
        nodes: { "chart.property.state": "signed", "chart.property.draft": draft },
        relationships: { "h.since": since },
      },
    ];
    expect(await run()).toEqual(row("draft 5", 2025));
    expect(await run()).toEqual(row(null, null));
    expect(await shown("c5")).not.toHaveProperty("n.property.draft");
  });

  it("pages join without a row twice and without a hole", async () => {
    const query = await openQuery(tenant, ofCharts(reads("chart.external_id")), {
      nodes: ["chart.external_id"],
    });
    const token = await bearer();
    const page = async (page_size: number, page_token: number) =>
      idsOf(await executePage({ id: query.id, page_size, page_token }, { key: tenant.key, bearer: token }));
    expect([await page(2, 0), await page(2, 2), await page(2, 4), await page(2, 6)]).toEqual([
      ["c1", "c2"],
      ["c3", "c4"],
      ["c5"],
      [],
    ]);
    expect([await page(1, 0), await page(1, 1), await page(1, 2)]).toEqual([["c1"], ["c2"], ["c3"]]);
    expect([await page(2, 1), await page(2, -1)]).toEqual([
      ["c1", "c2"],
      ["c1", "c2"],
    ]);
    for (const size of [0, -1, 1_000]) expect(await page(size, 0)).toEqual(charts);
    requireRefusal(await query.ask({ bearer: token, page_size: 1_001 }), 400);
    requireRefusal(await query.ask({ bearer: token, page_size: 1.5 }), 400);
  });

  it("a writing query with pages of one row writes every row", async () => {
    const query = await openQuery(
      tenant,
      ofCharts({
        ...reads("chart.external_id"),
        allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
      }),
      { upsert_nodes: [set("paged", "$paged")], nodes: ["chart.external_id"] },
    );
    const rows = await query.rows({ bearer: await bearer(), page_size: 1, input_params: { paged: "yes" } });
    expect(idsOf(rows)).toEqual(["c1"]);
    for (const id of charts) expect((await shown(id))["n.property.paged"]).toBe("yes");
  });

  it("when the last relationship of a combined create fails, not even the node is there", async () => {
    await capture(
      {
        nodes: [chart("c6")],
        relationships: [
          {
            source: ward("w1"),
            target: chart("c6"),
            type: "HOLDS",
            properties: [
              { type: "discriminating_property", value: "since" },
              { type: "since", value: 1 },
            ],
          },
        ],
      },
      tenant,
    );
    const query = await openQuery(
      tenant,
      ofCharts({
        ...reads("chart.external_id"),
        allowed_upserts: {
          nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
          relationships: {
            relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" }],
            existing_relationships: ["h"],
          },
        },
      }),
      {
        filter: only("c6"),
        upsert_nodes: [{ name: "note", type: "Note", external_id: "note-13" }, set("half", true)],
        upsert_relationships: [
          { name: "ab", source: "note", target: "chart", type: "ABOUT" },
          // It tells this relationship from parallel ones, so that it cannot be changed.
          { name: "h", properties: [{ type: "since", value: 2 }] },
        ],
      },
    );
    const before = await census();
    requireRefusal(await query.ask({ bearer: await bearer() }), 422);
    const after = await census();
    expect([after.nodes, after.relationships]).toEqual([before.nodes, before.relationships]);
    await openIkg(tenant).capture.deleteNodes([chart("c6")]);
  });

  it("a person that the policy does not fix is the token's; an application is the calling one", async () => {
    const query = await openQuery(
      tenant,
      { subject: person, condition: { cypher: "MATCH (subject:Nurse)" }, ...reads("subject.external_id") },
      { nodes: ["subject.external_id"] },
    );
    for (const [sub, rows] of [
      ["n1", [{ nodes: { "subject.external_id": "n1" } }]],
      ["n2", [{ nodes: { "subject.external_id": "n2" } }]],
      ["nobody", []],
    ] as const)
      expect(await query.rows({ bearer: await bearer(sub) })).toEqual(rows);
    const other = await openAdmin().applications.create({
      name: "other",
      project_id: tenant.projectId,
    });
    const agent = await createAgent(other.id, ["ContXIQ"]);
    const own = await openQuery(
      tenant,
      ofApplication("MATCH (chart:Chart)", reads("subject.external_id", "chart.external_id")),
      {
        nodes: ["subject.external_id", "chart.external_id"],
      },
    );
    for (const [key, id] of [
      [tenant.key, tenant.applicationId],
      [agent.key, other.id],
    ] as const)
      expect(await execute({ id: own.id }, { key })).toEqual(
        charts.map((each) => ({ nodes: { "subject.external_id": id, "chart.external_id": each } })),
      );
  });

  it("a token that the policy does not accept reads nothing of the graph and writes nothing", async () => {
    const token_filter = {
      attribute: "$token.acr",
      operator: "=",
      value: "high",
      advice: { error: "insufficient_user_authentication", error_description: "sign in again" },
    };
    const lists = {
      ...reads("chart.external_id"),
      allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
    };
    const condition = { cypher: `${cypher} WHERE 1 / toInteger($zero) = 1`, token_filter };
    const query = await openQuery(tenant, ofCharts(lists, condition), {
      upsert_nodes: [set("seventeen", 1)],
    });
    const input_params = { zero: 0 };
    const before = await census();
    // Reading the graph would divide by zero, so that a 401 shows that it was not read.
    const refused = await query.ask({ bearer: await bearer("n1", { acr: "low" }), input_params });
    requireRefusal(refused, 401);
    expect(refused.body).toEqual({ message: "sign in again" });
    expect(refused.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_user_authentication", error_description="sign in again", acr_values="high"',
    );
    const again = await query.ask({ bearer: await bearer("n1", { acr: "low" }) });
    expect([again.status, again.text]).toEqual([401, refused.text]);
    requireRefusal(await query.ask({ bearer: await bearer("n1", { acr: "high" }), input_params }), 422);
    expect(
      (await query.rows({ bearer: await bearer("n1", { acr: "high" }), input_params: { zero: 1 } })).length,
    ).toBe(5);
    for (const id of charts) expect((await shown(id))["n.property.seventeen"]).toBe(1);
    expect(before.nodes.some((row) => "n.property.seventeen" in row.nodes)).toBe(false);
  });
});
