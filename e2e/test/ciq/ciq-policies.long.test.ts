import { beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { ciqPolicy, type OpenQuery, openQuery, openQueryOf } from "../../src/configuration/open-query.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { policyErrors } from "../../src/configuration/validate-text.ts";
import {
  tenant,
  charts,
  useWard,
  bearer,
  cypher,
  ofCharts,
  ofApplication,
  reads,
  only,
  kbacPolicy,
} from "../../src/fixtures/ward.ts";
import { capture } from "../../src/requests/capture.ts";
import { openIkg } from "../../src/requests/clients.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { findResources, findSubjects } from "../../src/requests/find-resources.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";

/**
 * Rules of policies, through the gateway. Locations and hubs have files of their own: ciq-locations-own-database and ciq-hub.
 */
useWard();

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
    ["what is unknown", `${both} FETCH x`, "unexpected"],
    ["keywords in a text", `${both} WHERE subject.external_id <> 'DELETE CREATE; RETURN'`, ""],
    ["keywords in comments", `${both} /* DELETE x */ WHERE true // RETURN`, ""],
    [
      "keywords in back-quotes",
      `MATCH (subject:Nurse)-[\`delete\`]->(resource:Chart) WHERE \`delete\`.\`set\` = 1`,
      "",
    ],
  ];

  it.each(constructs)("%s", async (_name, text, reasons) => {
    await inParallel([...versions.entries()], async ([index, version]) => {
      const base = kbacPolicy(version, "READ", { cypher: text });
      const { actions: _actions, resource: _resource, ...ciq } = base;
      const faults = await policyErrors(tenant.projectId, version === "1.0-ciq" ? ciq : base);
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

    it.each(names)("a 2.0 condition saved as 3.0 decides alike: %s", async (name) => {
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

    it("a granted subject is found by all three searches, and no other", async () => {
      for (const action of ["HELD_2", "LOW_3", "OPEN_2"])
        for (const subject of ["n1", "n2"]) {
          const granted: string[] = [];
          for (const resource of charts) {
            const request = question(action, subject, resource);
            const { decision } = await evaluate(request, tenant);
            if (decision) granted.push(resource);
            const subjects = await findSubjects({ ...request, subject: { type: "Nurse" } }, tenant);
            expect(subjects.includes(subject)).toBe(decision);
            const actions = await openIkg(tenant).as(request.subject).actions(request.resource).toArray();
            expect(actions.some(({ name }) => name === action)).toBe(decision);
          }
          expect(await findResources(question(action, subject, "any"), tenant)).toEqual(granted);
        }
    });

    it("$subject_external_id is the platform's in decisions, and a parameter like others in queries", async () => {
      await savePolicy(tenant.projectId, {
        policy: kbacPolicy("2.0-kbac", "SELF", {
          cypher: "MATCH (subject), (resource) WHERE $subject_external_id = 'n1'",
        }),
      });
      const buildQuestion = (id: string) => ({
        ...question("SELF", id, "c1"),
        context: { input_params: { subject_external_id: "n1" } },
      });
      expect(await evaluate(buildQuestion("n1"), tenant)).toEqual({ decision: true });
      expect(await evaluate(buildQuestion("n2"), tenant)).toEqual({ decision: false });
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

    it("a resource that only an OPTIONAL MATCH binds is refused", async () => {
      const faults = await policyErrors(
        tenant.projectId,
        kbacPolicy("2.0-kbac", "READ", {
          cypher: "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:OWNS]->(resource:Chart)",
        }),
      );
      expect(faults.join("\n")).toContain("resource");
    });
  });

  describe("truth is the same in the service and in the database", () => {
    // Every operator with a value, as docs/policy-language.md lists them.
    const comparisons = ["=", "<>", "<", "<=", ">", ">="];
    const operators = [...comparisons, "CONTAINS", "STARTS WITH", "ENDS WITH", "=~", "IN"];
    /** A parameter of another kind is answered 422. */
    const takes = (operator: string, value: unknown): boolean => {
      if (operator === "IN") return Array.isArray(value);
      return operator !== "=~" || typeof value === "string";
    };
    /** Attributes: claims of a token, and values of nodes; `nothing` is absent. */
    const attributes = new Map<string, unknown>([
      ["nothing", undefined],
      ["yes", true],
      ["one", 1],
      ["half", 1.5],
      ["text", "a"],
      ["long", "ab"],
      ["capital", "A"],
      ["list", ["a"]],
      ["empty", []],
    ]);
    const values = [true, 1, 1.0, 1.5, 2, "", "a", "A", "ab", "b", ["a"], [1], []];
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
      const taken = values.filter((value) => takes(operator, value));
      await inParallel(taken, async (v) => {
        const found: Record<"graph" | "service", string[]> = { graph: [], service: [] };
        for (const [truth] of forms) {
          const rows = await inGraph.get(`${operator} ${truth}`)?.rows({ input_params: { v } });
          for (const { nodes } of rows ?? []) found.graph.push(`${truth}: ${String(nodes["a.external_id"])}`);
          for (const name of attributes.keys()) {
            const request = { bearer: bearers.get(name), input_params: { v } };
            const answer = await inService.get(`${operator} ${truth}`)?.ask(request);
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
});
