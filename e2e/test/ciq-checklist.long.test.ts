import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { capture } from "../src/capture.ts";
import { openCensus, type Census } from "../src/census.ts";
import { type ConfigRecord, configs, createRecord } from "../src/configs.ts";
import { createAgent } from "../src/create-agent.ts";
import { withKey } from "../src/data-plane.ts";
import { evaluate } from "../src/evaluate.ts";
import { takeEffect } from "../src/eventually.ts";
import { execute } from "../src/execute.ts";
import { findAll } from "../src/find-all.ts";
import { inParallel } from "../src/in-parallel.ts";
import { policyFaults, queryFaults } from "../src/judge-text.ts";
import { must } from "../src/must.ts";
import { ciqPolicy, type OpenQuery, openQuery, openQueryOf } from "../src/open-query.ts";
import { requireRefusal } from "../src/refusal.ts";
import { savePolicy } from "../src/save-policy.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";
import { createTokenIssuer, type TokenIssuer } from "../src/token-issuer.ts";

/**
 * Every check of policies and queries by its number, but 15 and 18 (locations: a file of its own; hubs: the work
 * tests of policy-core), and the
 * tests of the database that concern queries. Many are shown at length elsewhere; here each is
 * run in short through the gateway.
 */
let tenant: Tenant;
let issuer: TokenIssuer;
let census: () => Promise<Census>;

const ref = (type: string) => (external_id: string) => ({ type, external_id });
const [nurse, ward, chart] = [ref("Nurse"), ref("Ward"), ref("Chart")];
const ranks = [1, 2, 3, 4, 5];
const charts = ranks.map((rank) => `c${rank}`);

beforeAll(async () => {
  tenant = await createTenant("ciq-checklist");
  await capture(
    {
      nodes: [
        ...["n1", "n2"].map((id) => ({
          ...nurse(id),
          properties: [{ type: "level", value: id === "n1" ? 3 : 1 }],
        })),
        ward("w1"),
        ...ranks.map((rank) => ({
          ...chart(`c${rank}`),
          properties: [
            { type: "rank", value: rank, metadata: { source: "scale", custom_metadata: { unit: "kg" } } },
            { type: "title", value: `Chart ${rank}` },
            { type: "draft", value: `draft ${rank}` },
          ],
        })),
      ],
      relationships: [
        ...["n1", "n2"].map((id) => ({ source: nurse(id), target: ward("w1"), type: "ON" })),
        ...ranks.map((rank) => ({
          source: ward("w1"),
          target: chart(`c${rank}`),
          type: "HOLDS",
          properties: [{ type: "since", value: 2020 + rank }],
        })),
        { source: nurse("n1"), target: chart("c1"), type: "SIGNED" },
      ],
    },
    tenant,
  );
  issuer = await createTokenIssuer(tenant.projectId, { ikg_node_type: "Nurse" });
  census = await openCensus(tenant);
}, 120_000);
afterAll(() => tenant?.remove());

const bearer = (sub = "n1", claims: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  issuer.sign(sub, claims);
const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const person = { type: "Nurse" };
const application = { type: "_Application" };
/** A policy of persons about the charts of their ward. */
const ofCharts = (lists: object, condition: object = {}) => ({
  subject: person,
  condition: { cypher, ...condition },
  ...lists,
});
/** A policy of the application about any pattern. */
const ofApplication = (pattern: string, lists: object, condition: object = {}) => ({
  subject: application,
  condition: { cypher: `MATCH (subject:_Application) ${pattern}`, ...condition },
  ...lists,
});
const reads = (...nodes: string[]) => ({ allowed_reads: { nodes } });
const idsOf = (rows: readonly { readonly nodes: Readonly<Record<string, unknown>> }[]) =>
  rows.map(({ nodes }) => nodes["chart.external_id"]);
const set = (type: string, value: unknown) => ({ name: "chart", properties: [{ type, value }] });
const only = (id: string) => ({ attribute: "chart.external_id", operator: "=", value: id });
const shown = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
  const { nodes } = await census();
  const found = nodes.find((row) => row.nodes["n.type"] === "Chart" && row.nodes["n.external_id"] === id);
  return found?.nodes ?? {};
};

const kbacPolicy = (version: string, action: string, condition: object) => ({
  meta: { policy_version: version },
  subject: person,
  actions: [action],
  resource: { type: "Chart" },
  condition,
});

describe("the checks of policies and queries", () => {
  const versions = ["2.0-kbac", "3.0-kbac", "1.0-ciq"] as const;
  const both = "MATCH (subject:Nurse)-->(resource:Chart)";
  const forbidden = (words: string) => `Cypher contains forbidden clauses: [${words}]`;
  /** A construct, and the reason of each version; `""` accepts. One reason stands for all three. */
  const constructs: readonly (readonly [string, string, string | readonly [string, string, string]])[] = [
    ["MATCH, WHERE", `${both} WHERE resource.property.rank > 1`, ""],
    ["OPTIONAL MATCH", `${both} OPTIONAL MATCH (subject)-->(x)`, ""],
    ["WITH", `${both} WITH DISTINCT subject, resource ORDER BY resource.external_id SKIP 0 LIMIT 3`, ""],
    ["an aggregating WITH", `${both} WITH subject, resource, count(*) AS n WHERE n > 0`, ""],
    ["UNWIND", `UNWIND [1, 2] AS x ${both} WHERE resource.property.rank = x`, ""],
    ["EXISTS and COUNT", `${both} WHERE EXISTS { (subject)--() } AND COUNT { (resource)--() } > 0`, ""],
    ["a pattern predicate", `${both} WHERE NOT (subject)-[:SIGNED]->(resource)`, ""],
    [
      "comprehensions",
      `${both} WHERE size([(subject)-->(x) | x.external_id]) > 0 AND [y IN [1] | y] = [1]`,
      "",
    ],
    ["quantifiers and CASE", `${both} WHERE all(x IN [1] WHERE x > 0) AND CASE WHEN true THEN true END`, ""],
    [
      "USE",
      `USE graph.byName('a.b') ${both}`,
      ["USE clause is not allowed", "", "USE clause is not allowed"],
    ],
    [
      "CALL { }",
      `${both} CALL (subject) { MATCH (subject)-->(x) RETURN x }`,
      [forbidden("CALL"), "", forbidden("CALL")],
    ],
    ["CALL of a procedure", `${both} CALL db.labels()`, forbidden("CALL")],
    ["CALL IN TRANSACTIONS", `${both} CALL { MATCH (x) RETURN x } IN TRANSACTIONS`, forbidden("CALL")],
    ["RETURN", `${both} RETURN subject`, forbidden("RETURN")],
    ["FINISH", `${both} FINISH`, forbidden("FINISH")],
    [
      "writes",
      `${both} CREATE (x) MERGE (y) SET x.a = 1 REMOVE x.a DELETE x DETACH DELETE y`,
      forbidden("CREATE, MERGE, SET, REMOVE, DELETE, DETACH"),
    ],
    ["FOREACH", `${both} FOREACH (x IN [1] | CREATE (y))`, "FOREACH"],
    ["LOAD CSV", `LOAD CSV FROM 'file:///x' AS l ${both}`, "LOAD"],
    ["a planner hint", `${both} USING SCAN subject:Nurse`, "planner hints are not allowed"],
    ["UNION", `${both} UNION ${both}`, "UNION"],
    ["a second statement", `${both}; ${both}`, ";"],
    ["EXPLAIN", `EXPLAIN ${both}`, "EXPLAIN"],
    ["PROFILE", `PROFILE ${both}`, "PROFILE"],
    ["CYPHER", `CYPHER 5 ${both}`, "CYPHER"],
    ["SHOW", `SHOW INDEXES`, "SHOW"],
    ["what nobody knows", `${both} FETCH x`, "unexpected"],
    ["keywords in a text", `${both} WHERE subject.external_id <> 'DELETE CREATE; RETURN'`, ""],
    ["keywords in comments", `${both} /* DELETE x */ WHERE true // RETURN`, ""],
    [
      "keywords in back-quotes",
      `MATCH (subject:Nurse)-[\`delete\`]->(resource:Chart) WHERE \`delete\`.\`set\` = 1`,
      "",
    ],
  ];

  it.each(constructs)("1: %s", async (_name, text, reasons) => {
    await inParallel([...versions.entries()], async ([index, version]) => {
      const base = kbacPolicy(version, "READ", { cypher: text });
      const { actions: _actions, resource: _resource, ...ciq } = base;
      const faults = await policyFaults(tenant.projectId, version === "1.0-ciq" ? ciq : base);
      const reason = typeof reasons === "string" ? reasons : reasons[index];
      if (reason === "" || reason === undefined) expect([version, faults]).toEqual([version, []]);
      else expect([version, faults.join("\n")]).toEqual([version, expect.stringContaining(reason)]);
    });
  });

  const conditions: Readonly<Record<string, object>> = {
    HELD: { cypher: "MATCH (subject:Nurse)-[:ON]->(:Ward)-[:HOLDS]->(resource:Chart)" },
    LOW: {
      cypher: "MATCH (subject)-[*..2]->(resource) WHERE resource.property.rank <= subject.property.level",
    },
    OPEN: { cypher: "MATCH (subject), (resource) WHERE NOT (subject)-[:SIGNED]->(resource)" },
    CLAIMED: {
      cypher: "MATCH (subject)-->()-->(resource)",
      filter: { attribute: "$token.scope", operator: "CONTAINS", value: "read" },
    },
  };

  describe("decisions", () => {
    const names = Object.keys(conditions);
    beforeAll(async () => {
      await inParallel(
        names.flatMap((name) => ["2.0-kbac", "3.0-kbac"].map((version) => [name, version])),
        ([name = "", version = ""]) =>
          savePolicy(tenant.projectId, {
            policy: kbacPolicy(version, `${name}_${version.slice(0, 1)}`, conditions[name] ?? {}),
          }),
      );
    }, 90_000);
    const question = (action: string, subject: string, resource: string) => ({
      subject: { type: "Nurse", id: subject },
      action: { name: action },
      resource: { type: "Chart", id: resource },
    });

    it.each(names)("2: a 2.0 condition saved as 3.0 decides alike: %s", async (name) => {
      const seen = new Set<boolean>();
      for (const subject of ["n1", "n2"])
        for (const claims of [undefined, { scope: "reader" }, { scope: "none" }])
          for (const resource of [...charts, "nowhere"]) {
            const by = { key: tenant.key, bearer: claims && (await bearer(subject, claims)) };
            const [two, three] = [
              await evaluate(question(`${name}_2`, subject, resource), by),
              await evaluate(question(`${name}_3`, subject, resource), by),
            ];
            expect([subject, resource, three]).toEqual([subject, resource, two]);
            seen.add(two.decision);
          }
      expect(seen.size).toBe(2);
    });

    it("3: who is granted is found by all three searches, and nobody else", async () => {
      for (const action of ["HELD_2", "LOW_3", "OPEN_2"])
        for (const subject of ["n1", "n2"]) {
          const granted: string[] = [];
          for (const resource of charts) {
            const asked = question(action, subject, resource);
            const { decision } = await evaluate(asked, tenant);
            if (decision) granted.push(resource);
            const subjects = await findAll("subject", { ...asked, subject: { type: "Nurse" } }, tenant);
            expect(subjects.includes(subject)).toBe(decision);
            const { results } = must<{ results: { name: string }[] }>(
              await withKey("/access/v1/search/action", tenant, {
                json: { subject: asked.subject, resource: asked.resource },
              }),
              200,
            );
            expect(results.some(({ name }) => name === action)).toBe(decision);
          }
          expect(await findAll("resource", question(action, subject, "any"), tenant)).toEqual(granted);
        }
    });

    it("6: $subject_external_id is the platform's in decisions, and a parameter like others in queries", async () => {
      await savePolicy(tenant.projectId, {
        policy: kbacPolicy("2.0-kbac", "SELF", {
          cypher: "MATCH (subject), (resource) WHERE $subject_external_id = 'n1'",
        }),
      });
      const asked = (id: string) => ({
        ...question("SELF", id, "c1"),
        context: { input_params: { subject_external_id: "n1" } },
      });
      expect(await evaluate(asked("n1"), tenant)).toEqual({ decision: true });
      expect(await evaluate(asked("n2"), tenant)).toEqual({ decision: false });
      const query = await openQuery(
        tenant,
        {
          ...ofCharts(reads("subject.external_id", "chart.external_id")),
          condition: {
            cypher,
            filter: [{ attribute: "subject.external_id", operator: "=", value: "$subject_external_id" }],
          },
        },
        { nodes: ["subject.external_id"], filter: only("c1") },
      );
      const rows = await query.rows({
        bearer: await bearer("n1"),
        input_params: { subject_external_id: "n2" },
      });
      expect(rows).toEqual([{ nodes: { "subject.external_id": "n2" } }]);
      requireRefusal(await query.ask({ bearer: await bearer("n1") }), 422);
    });

    it("16: a resource that only an OPTIONAL MATCH binds is refused", async () => {
      const faults = await policyFaults(
        tenant.projectId,
        kbacPolicy("2.0-kbac", "READ", {
          cypher: "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:OWNS]->(resource:Chart)",
        }),
      );
      expect(faults.join("\n")).toContain("resource");
    });
  });

  describe("4: truth is the same in the service and in the database", () => {
    const operators = ["=", "<>", "<", "<=", ">", ">=", "CONTAINS", "STARTS WITH", "ENDS WITH"];
    /** Attributes: claims of a token, and values of nodes; `nothing` is absent. */
    const attributes = new Map<string, unknown>([
      ["nothing", undefined],
      ["yes", true],
      ["one", 1],
      ["half", 1.5],
      ["text", "a"],
      ["long", "ab"],
      ["list", ["a"]],
      ["empty", []],
    ]);
    const values = [true, 1, 1.0, 1.5, 2, "", "a", "ab", "b", ["a"], [1], []];
    const forms = [
      ["true", (leaf: object) => leaf],
      ["false", (leaf: object) => ({ operator: "NOT", operands: [leaf] })],
    ] as const;
    let inGraph: ReadonlyMap<string, OpenQuery>;
    let inService: ReadonlyMap<string, OpenQuery>;

    beforeAll(async () => {
      await capture(
        {
          nodes: [...attributes].map(([external_id, value]) => ({
            type: "Sample",
            external_id,
            properties: value === undefined ? [] : [{ type: "x", value: value as never }], // of the kinds above
          })),
          relationships: [],
        },
        tenant,
      );
      const policyId = await savePolicy(tenant.projectId, {
        policy: ciqPolicy(ofApplication("MATCH (a:Sample)", reads("a.*"))),
      });
      const cases = operators.flatMap((operator) =>
        forms.map(([truth, form]) => ({ operator, truth, form })),
      );
      const named = ({ operator, truth }: (typeof cases)[number]) => `${operator} ${truth}`;
      const nodes = ["a.external_id"];
      inGraph = new Map(
        await inParallel(cases, async (each) => {
          const leaf = { attribute: "a.property.x", operator: each.operator, value: "$v" };
          const query = await openQueryOf(tenant, policyId, { nodes, filter: each.form(leaf) });
          return [named(each), query] as const;
        }),
      );
      inService = new Map(
        await inParallel(cases, async (each) => {
          const leaf = { attribute: "$token.x", operator: each.operator, value: "$v" };
          const token_filter = each.form(leaf);
          const policy = ofApplication("", reads("subject.external_id"), { token_filter });
          return [named(each), await openQuery(tenant, policy, { nodes: ["subject.external_id"] })] as const;
        }),
      );
    }, 180_000);

    it.each(operators)("%s", async (operator) => {
      const outcomes = new Set<string>();
      const bearers = new Map(
        await inParallel([...attributes], async ([name, x]) => [name, await bearer("n1", { x })] as const),
      );
      await inParallel(values, async (v) => {
        const found: Record<"graph" | "service", string[]> = { graph: [], service: [] };
        for (const [truth] of forms) {
          const rows = await inGraph.get(`${operator} ${truth}`)?.rows({ input_params: { v } });
          for (const { nodes } of rows ?? []) found.graph.push(`${truth}: ${String(nodes["a.external_id"])}`);
          for (const name of attributes.keys()) {
            const asked = { bearer: bearers.get(name), input_params: { v } };
            const answer = await inService.get(`${operator} ${truth}`)?.ask(asked);
            if (answer?.status === 200) found.service.push(`${truth}: ${name}`);
            else expect(answer?.status).toBe(401);
          }
        }
        expect([v, found.service.toSorted()]).toEqual([v, found.graph.toSorted()]);
        for (const each of found.graph) outcomes.add(each.slice(0, 4));
      });
      expect(outcomes.size).toBe(2);
    });
  });

  it("5: a missing claim fails =, <> and NOT =, and no token at all fails IS NULL", async () => {
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

  it("7: alias.* reads and never deletes the node, and alias in allowed_deletes deletes no property", async () => {
    const wide = await savePolicy(tenant.projectId, {
      policy: ciqPolicy(ofCharts({ ...reads("chart.*"), allowed_deletes: { nodes: ["chart.*"] } })),
    });
    const whole = await savePolicy(tenant.projectId, {
      policy: ciqPolicy(ofCharts({ allowed_deletes: { nodes: ["chart"] } })),
    });
    const faults = (policyId: string, query: object) => queryFaults(tenant.projectId, policyId, query);
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

  it("8: a path that may not be read is 422 on save, and on execute once the policy is narrower", async () => {
    const lists = {
      ...reads("chart.property.rank", "chart.property.title"),
      allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
    };
    const query = {
      upsert_nodes: [set("seen", "$seen")],
      nodes: ["chart.property.rank", "chart.property.title"],
    };
    const saved = await openQuery(tenant, ofCharts(lists), query);
    expect(await queryFaults(tenant.projectId, saved.policyId, { nodes: ["chart.property.draft"] })).toEqual([
      "query.nodes[0]: chart.property.draft is not in allowed_reads.nodes",
    ]);
    expect(await saved.rows({ bearer: await bearer(), input_params: { seen: 1 } })).toHaveLength(5);
    const before = await census();
    must<ConfigRecord>(
      await configs(`/authorization-policies/${saved.policyId}`, {
        method: "PUT",
        json: {
          policy: JSON.stringify(ciqPolicy(ofCharts({ ...lists, ...reads("chart.property.rank") }))),
          status: "ACTIVE",
        },
      }),
      200,
    );
    await takeEffect();
    const answer = await saved.ask({ bearer: await bearer(), input_params: { seen: 2 } });
    expect(requireRefusal(answer, 422)).toEqual([
      "query.nodes[1]: chart.property.title is not in allowed_reads.nodes",
    ]);
    const after = await census();
    expect([after.nodes, after.relationships]).toEqual([before.nodes, before.relationships]);
  });

  it("9: an upsert keeps what it does not list, repeats as it was, and makes one node for three rows", async () => {
    const query = await openQuery(
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

  it("10: one query that updates, deletes and reads sees new values and what is deleted, which is gone afterwards", async () => {
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

  it("11: pages join without a row twice and without a hole", async () => {
    const query = await openQuery(tenant, ofCharts(reads("chart.external_id")), {
      nodes: ["chart.external_id"],
    });
    const token = await bearer();
    const page = async (page_size: number, page_token: number) =>
      idsOf(await query.rows({ bearer: token, page_size, page_token }));
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

  it("12: a writing query with pages of one row writes every row", async () => {
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

  it("13: when the last relationship of a combined create fails, not even the node is there", async () => {
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
    must(await withKey("/capture/v1/nodes/delete", tenant, { json: { nodes: [chart("c6")] } }), 200);
  });

  it("14: a person that the policy does not fix is the token's; an application is the calling one", async () => {
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
    const other = await createRecord<ConfigRecord>("applications", {
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

  it("17: a token that the policy does not accept reads nothing of the graph and writes nothing", async () => {
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
    // Whoever looks at the graph meets a division by zero, so that 401 shows that nobody did.
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

describe("the tests of the database", () => {
  it("1: of two projects with the same data, a query reads and counts its own alone", async () => {
    const other = await createTenant("ciq-checklist-twin");
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
  it.each(strange)("2: %s", async (_name, pattern, outcome) => {
    const policy = ofApplication(pattern, reads("x.external_id"));
    const faults = await policyFaults(tenant.projectId, ciqPolicy(policy));
    if (typeof outcome === "string") return expect(faults.join("\n")).toContain(outcome);
    expect(faults).toEqual([]);
    const query = await openQuery(tenant, policy, { nodes: ["x.external_id"] });
    expect(await query.rows()).toHaveLength(outcome);
  });

  it("6: values keep type and order through a query that writes and one that reads", async () => {
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
