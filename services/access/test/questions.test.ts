import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { type Decisions, EvaluationsRequest, parse } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey, projectLabel } from "@ikg/physical";
import { compileKbac } from "@ikg/policy-core";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { withExplanation } from "../src/decisions/with-explanation.ts";
import { openExplain } from "../src/decisions/explain.ts";
import { openEvaluateBatch } from "../src/decisions/evaluate-batch.ts";
import { pageTokens } from "../src/decisions/page-token.ts";
import { openSearch, type Search } from "../src/decisions/search.ts";
import { openSearchAction, type SearchAction } from "../src/decisions/search-action.ts";
import { projectOf, setting } from "./project.ts";

const pk = newProjectKey(randomBytes(8));
const label = projectLabel(pk);
const options = { timeoutMs: 80_000 };
let statements = 0;
let graph: Graph;
let decide: Decide;
let subjects: Search;
let actions: SearchAction;

/** Five nurses on one ward, the even ones senior, and three charts, of which each nurse keeps one. */
const nurses = ["n0", "n1", "n2", "n3", "n4"];

beforeAll(async () => {
  graph = connectGraph(
    {
      uri: setting("NEO4J_URI"),
      username: setting("NEO4J_USERNAME"),
      password: setting("NEO4J_PASSWORD"),
    },
    { onStatement: () => void statements++ },
  );
  await graph.prepare();
  await graph.shared.write(
    (tx) =>
      tx.run(
        `UNWIND range(0, 2) AS c
         CREATE (:_Node:${label}:Chart__${pk} {_key: $pk + '/Chart/c' + c, external_id: 'c' + c, id: $pk + 'c' + c, type: 'Chart'})
         WITH count(*) AS made UNWIND range(0, 4) AS i
         CREATE (n:_Node:${label}:Nurse__${pk} {_key: $pk + '/Nurse/n' + i, external_id: 'n' + i, id: $pk + 'n' + i,
           type: 'Nurse', senior: i % 2 = 0, level: i})
         WITH n, i MATCH (c:_Node {_key: $pk + '/Chart/c' + (i % 3)}) CREATE (n)-[:KEEPS]->(c)`,
        { pk },
      ),
    options,
  );
  decide = openDecide(graph);
  const tokens = pageTokens(randomBytes(32));
  subjects = openSearch({ graph, tokens, decide }, "subject");
  actions = openSearchAction(decide, openExplain(graph), tokens);
});
afterAll(async () => {
  await graph.shared.write((tx) => tx.run(`MATCH (n:${label}) DETACH DELETE n`, {}), options);
  await graph.close();
});

const policy = (
  cypher: string,
  names: readonly string[] = ["READ"],
  version = "2.0-kbac",
  filter?: unknown,
): StoredKbacPolicy => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: version },
      subject: { type: "Nurse" },
      actions: names,
      resource: { type: "Chart" },
      condition: { cypher, ...(filter === undefined ? {} : { filter }) },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return { id: cypher, name: cypher, version: 1, tags: [], text: "{}", policy: checked.value };
};

const project = projectOf(pk);

const view = (...policies: StoredKbacPolicy[]): ProjectSnapshot => {
  const lists = new Map<string, readonly StoredKbacPolicy[]>();
  return {
    project,
    kbacPolicies: () => policies,
    kbacCandidates: (subject, action, resource) => {
      const fits = subject === "Nurse" && resource === "Chart";
      const found = policies.filter(({ policy: each }) => fits && each.actions.includes(action));
      // The same list for the same question, as the catalog has it.
      if (!lists.has(action)) lists.set(action, found);
      return lists.get(action) ?? [];
    },
    query: () => undefined,
    queries: () => [],
    mcpServer: undefined,
    resolver: () => undefined,
    resolvers: () => [],
    introspects: [],
  };
};

const keepers = policy("MATCH (subject)-[:KEEPS]->(resource)");
const seniors = policy("MATCH (subject), (resource) WHERE subject.property.senior");
const limited = policy("MATCH (subject), (resource) WHERE subject.property.level < $max", ["COUNT"]);
const own = policy("MATCH (subject), (resource)", ["READ"], "3.0-kbac");
const token = (subject: string) => ({ subject, claims: { sub: subject }, configId: "x", nodeType: "Token" });
const asking = (changes: Record<string, unknown> = {}) => ({
  subject: { type: "Nurse" },
  resource: { type: "Chart", id: "c0" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
  ...changes,
});

describe("subject search", () => {
  const found = async (policies: StoredKbacPolicy[], changes = {}): Promise<string[]> =>
    (await subjects(view(...policies), asking(changes), undefined, options)).results.map(({ id }) => id);

  it("finds who an evaluation grants, ascending, each once over all policies", async () => {
    expect(await found([keepers])).toEqual(["n0", "n3"]);
    expect(await found([keepers, seniors])).toEqual(["n0", "n2", "n3", "n4"]);
    for (const candidates of [[keepers], [keepers, seniors], [own]])
      for (const chart of ["c0", "c1", "unknown"]) {
        const resource = { type: "Chart", id: chart };
        const by = await Promise.all(
          nurses.map(async (id) => {
            const { decision } = await decide(
              view(...candidates),
              asking({ subject: { type: "Nurse", id }, resource }) as Parameters<Decide>[1],
              options,
            );
            return decision ? [id] : [];
          }),
        );
        expect(await found(candidates, { resource })).toEqual(by.flat());
      }
  });

  it("ignores an id of the subject, and knows no other type or action", async () => {
    expect(await found([keepers], { subject: { type: "Nurse", id: "n4" } })).toEqual(["n0", "n3"]);
    expect(await found([keepers], { subject: { type: "Robot" } })).toEqual([]);
    expect(await found([keepers], { action: { name: "BURN" } })).toEqual([]);
  });

  it("walks the same set in pages, with a token that is bound to the question", async () => {
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const answer = await subjects(
        view(keepers, seniors),
        asking(),
        next === undefined ? { limit: 1 } : { token: next },
        options,
      );
      expect(Object.keys(answer)).toEqual(["page", "results"]);
      seen.push(...answer.results.map(({ id }) => id));
      next = answer.page?.next_token;
    } while (next !== undefined && next !== "");
    expect(seen).toEqual(["n0", "n2", "n3", "n4"]);
    const first = await subjects(view(keepers), asking(), { limit: 1 }, options);
    const other = asking({ resource: { type: "Chart", id: "c1" } });
    await expect(
      subjects(view(keepers), other, { token: first.page?.next_token }, options),
    ).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("finds under 3.0-kbac nobody but the bearer's own subject, and everybody without a bearer", async () => {
    expect(await found([own])).toEqual(nurses);
    expect(await found([own], { token: token("n2") })).toEqual(["n2"]);
    expect(await found([own], { token: token("stranger") })).toEqual([]);
    expect(await found([own, keepers], { token: token("n2") })).toEqual(["n0", "n2", "n3"]);
  });

  it("names a parameter that kept it from finding anything", async () => {
    const counting = asking({ action: { name: "COUNT" } });
    await expect(subjects(view(limited), counting, undefined, options)).rejects.toMatchObject({
      errors: ["missing or wrong input params, 'max'"],
    });
    const given = { ...counting, context: { input_params: { max: 2 } } };
    const { results } = await subjects(view(limited), given, undefined, options);
    expect(results.map(({ id }) => id)).toEqual(["n0", "n1"]);
  });
});

describe("action search", () => {
  const writing = policy("MATCH (subject)-[:KEEPS]->(resource)", ["WRITE", "READ", "SIGN"]);
  const named = async (policies: StoredKbacPolicy[], changes = {}, page?: object) =>
    actions(
      view(...policies),
      { ...asking(), subject: { type: "Nurse", id: "n1" }, ...changes },
      page,
      options,
    );

  it("finds the actions that some policy grants, each once, ascending", async () => {
    expect(await named([writing, seniors])).toEqual({ results: [] });
    const mine = { resource: { type: "Chart", id: "c1" } };
    expect(await named([writing, keepers], mine)).toEqual({
      results: [{ name: "READ" }, { name: "SIGN" }, { name: "WRITE" }],
    });
    expect(await named([seniors], { subject: { type: "Nurse", id: "n2" } })).toEqual({
      results: [{ name: "READ" }],
    });
    expect(await named([writing], { subject: { type: "Robot", id: "n2" } })).toEqual({ results: [] });
  });

  it("does not fail for a parameter that one policy lacks", async () => {
    const mine = { resource: { type: "Chart", id: "c1" } };
    expect(await named([limited, keepers], mine)).toEqual({ results: [{ name: "READ" }] });
    expect(await named([limited], { ...mine, context: { input_params: { max: 2 } } })).toEqual({
      results: [{ name: "COUNT" }],
    });
  });

  it("refuses somebody else's bearer as soon as a 3.0 policy takes part, and walks in pages", async () => {
    await expect(named([own], { token: token("n2") })).rejects.toMatchObject({ status: 403 });
    const mine = { resource: { type: "Chart", id: "c1" } };
    const first = await named([writing], mine, { limit: 2 });
    expect(first).toMatchObject({ page: { count: 2 }, results: [{ name: "READ" }, { name: "SIGN" }] });
    const second = await named([writing], mine, { token: first.page?.next_token });
    expect(second).toEqual({ page: { next_token: "", count: 1 }, results: [{ name: "WRITE" }] });
    expect(await named([writing], mine, { limit: 0 })).toMatchObject({ page: { count: 0, total: 3 } });
  });
});

describe("evaluations", () => {
  const nurse = (id: string) => ({ type: "Nurse", id });
  const chart = (id: string) => ({ type: "Chart", id });
  const read = { name: "READ" };
  const evaluate = (body: unknown, policies = [keepers, limited], bearer = undefined as unknown) =>
    openEvaluateBatch(decide)(
      view(...policies),
      parse(EvaluationsRequest, body),
      bearer as Parameters<ReturnType<typeof openEvaluateBatch>>[2],
      options,
    );
  const decisionsOf = async (body: unknown, policies?: StoredKbacPolicy[]): Promise<boolean[]> =>
    ((await evaluate(body, policies)) as Decisions).evaluations.map(({ decision }) => decision);

  it("takes defaults whole, in request order", async () => {
    const body = {
      subject: nurse("n0"),
      action: read,
      resource: {},
      evaluations: [
        { resource: chart("c0") },
        { resource: chart("c1") },
        { resource: chart("c1"), subject: nurse("n1") },
        { resource: { id: "c0" } },
        {},
        null,
        [],
        { resource: chart("c0"), subject: null },
      ],
    };
    const { evaluations } = (await evaluate(body)) as Decisions;
    expect(evaluations.map(({ decision }) => decision)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(evaluations[1]).toEqual({ decision: false });
    expect(evaluations[3]).toEqual({
      decision: false,
      context: {
        reason: "resource.type: required",
        error: { status: 400, message: "resource.type: required" },
      },
    });
    expect(evaluations[5]?.context?.error).toMatchObject({ status: 400 });
  });

  it("is a single evaluation without entries", async () => {
    const single = { subject: nurse("n0"), action: read, resource: chart("c0") };
    for (const more of [{}, { evaluations: null }, { evaluations: [] }])
      expect(await evaluate({ ...single, ...more })).toEqual({ decision: true });
    await expect(evaluate({ subject: nurse("n0") })).rejects.toMatchObject({
      status: 400,
      errors: expect.arrayContaining(["resource: required", "action: required"]),
    });
  });

  it("stops where the semantic says", async () => {
    const entries = ["c0", "c1", "c0", "c2"].map((id) => ({ resource: chart(id) }));
    const body = { subject: nurse("n0"), action: read, evaluations: entries };
    const semantic = (name: string) => ({ ...body, options: { evaluations_semantic: name, other: 1 } });
    expect(await decisionsOf(body)).toEqual([true, false, true, false]);
    expect(await decisionsOf(semantic("execute_all"))).toEqual([true, false, true, false]);
    expect(await decisionsOf(semantic("deny_on_first_deny"))).toEqual([true, false]);
    expect(await decisionsOf(semantic("permit_on_first_permit"))).toEqual([true]);
    const denied = { ...semantic("permit_on_first_permit"), subject: nurse("n4") };
    expect(await decisionsOf(denied)).toEqual([false, true]);
    await expect(async () => evaluate(semantic("whatever"))).rejects.toMatchObject({ status: 400 });
    await expect(async () => evaluate({ ...body, options: [] })).rejects.toMatchObject({ status: 400 });
    await expect(async () => evaluate({ ...body, evaluations: {} })).rejects.toMatchObject({ status: 400 });
    const many = Array.from({ length: 1_001 }, () => ({}));
    await expect(async () => evaluate({ evaluations: many })).rejects.toMatchObject({ status: 400 });
  });

  it("answers what one entry lacks in that entry", async () => {
    const body = {
      subject: nurse("n0"),
      resource: chart("c0"),
      evaluations: [{ action: { name: "COUNT" } }, { action: read }],
    };
    const reason = "missing or wrong input params, 'max'";
    expect(await evaluate(body)).toEqual({
      evaluations: [
        { decision: false, context: { reason, error: { status: 422, message: reason } } },
        { decision: true },
      ],
    });
    const { evaluations } = (await evaluate(
      { ...body, action: read, evaluations: [{}, { subject: nurse("n1") }] },
      [own],
      token("n0"),
    )) as Decisions;
    expect(evaluations[0]).toEqual({ decision: true });
    expect(evaluations[1]?.context?.error?.status).toBe(403);
  });

  it("asks the graph once for the entries of one action, and decides as single calls do", async () => {
    const pairs = nurses.flatMap((id) => ["c0", "c1", "c2"].map((each) => [id, each] as const));
    const body = {
      action: read,
      evaluations: pairs.map(([id, each]) => ({ subject: nurse(id), resource: chart(each) })),
    };
    const policies = view(keepers, seniors);
    const single: boolean[] = [];
    for (const [id, each] of pairs) {
      const question = { ...asking(), subject: nurse(id), resource: chart(each) };
      single.push((await decide(policies, question, options)).decision);
    }
    const before = statements;
    const batch = (await openEvaluateBatch(decide)(
      policies,
      parse(EvaluationsRequest, body),
      undefined,
      options,
    )) as Decisions;
    expect(batch.evaluations.map(({ decision }) => decision)).toEqual(single);
    expect(statements - before).toBe(1);
  });

  it("is 503 when the graph cannot be asked about any entry", async () => {
    const away = connectGraph({ uri: "bolt://127.0.0.1:1", username: "x", password: "y" });
    const entries = [{ resource: chart("c0") }, { resource: chart("c1") }];
    const body = parse(EvaluationsRequest, { subject: nurse("n0"), action: read, evaluations: entries });
    const asked = openEvaluateBatch(openDecide(away))(view(keepers), body, undefined, options);
    await expect(asked).rejects.toMatchObject({ status: 503 });
    await away.close();
  });
});

describe("an explanation", () => {
  const why = (policies: StoredKbacPolicy[], changes: Record<string, unknown> = {}) =>
    withExplanation(decide, openExplain(graph))(
      view(...policies),
      {
        ...asking(),
        subject: { type: "Nurse", id: "n1" },
        resource: { type: "Chart", id: "c1" },
        ...changes,
      },
      options,
    );
  const scope = {
    operator: "AND",
    operands: [
      { operator: "=", attribute: "$request.action.properties.soft", value: true },
      { operator: "CONTAINS", attribute: "$token.scope", value: "sign" },
    ],
  };

  it("names the policies in order, and for each why it grants or does not", async () => {
    const filtered = policy("MATCH (subject), (resource)", ["READ"], "2.0-kbac", scope);
    const levels = policy("MATCH (subject), (resource) WHERE subject.property.level < $max");
    const routed = policy("USE graph.byName($loc) MATCH (subject), (resource)", ["READ"], "3.0-kbac");
    const { decision, context } = await why([seniors, filtered, levels, routed, keepers], {
      action: { name: "READ", properties: { soft: true } },
      context: { input_params: { loc: "north" } },
    });
    expect(decision).toBe(true);
    const { candidates = [], milliseconds } = context?.explanation ?? {};
    expect(candidates.map(({ outcome }) => outcome)).toEqual([
      "pattern_not_matched",
      "filter_not_satisfied",
      "parameter_missing",
      "wrong_location",
      "granted",
    ]);
    expect(candidates[0]).toMatchObject({
      policy: { id: expect.any(String), name: expect.any(String), version: 1 },
      part: {
        kind: "predicate",
        text: "subject.property.senior",
        from: { line: 1, column: 35 },
        certain: true,
      },
    });
    expect(candidates[1]).toMatchObject({
      filter: { path: "policy.condition.filter.operands[1]", attribute: "$token.scope", token_missing: true },
      statements: 0,
      database_hits: 0,
    });
    expect(candidates[2]).toMatchObject({ parameters: ["max"] });
    expect(candidates[3]?.location).toEqual([
      "policy requires a composite database, but the project has none configured",
    ]);
    const [nurse, chart] = [
      { type: "Nurse", id: "n1" },
      { type: "Chart", id: "c1" },
    ];
    expect(candidates[4]?.path).toEqual({
      nodes: [nurse, chart],
      relationships: [{ type: "KEEPS", source: nurse, target: chart }],
    });
    expect(candidates[4]?.database_hits).toBeGreaterThan(0);
    expect(milliseconds).toBeGreaterThan(0);
  });

  it("says which end is not there", async () => {
    const { decision, context } = await why([keepers], { resource: { type: "Chart", id: "gone" } });
    expect(decision).toBe(false);
    expect(context?.explanation?.candidates).toMatchObject([
      { outcome: "pattern_not_matched", missing: ["resource"] },
    ]);
    expect((await why([])).context?.explanation?.candidates).toEqual([]);
  });

  it("agrees with the decision for every question, and changes none", async () => {
    const policies = [seniors, keepers];
    for (const id of nurses)
      for (const chart of ["c0", "c1", "c2"]) {
        const ends = { subject: { type: "Nurse", id }, resource: { type: "Chart", id: chart } };
        const { decision, context } = await why(policies, ends);
        expect(decision).toBe((await decide(view(...policies), { ...asking(), ...ends }, options)).decision);
        expect(context?.explanation?.candidates.some(({ outcome }) => outcome === "granted")).toBe(decision);
      }
  });

  it("stands in each entry of a batch and beside each action, and costs nothing where nobody asks", async () => {
    const body = parse(EvaluationsRequest, {
      subject: { type: "Nurse", id: "n1" },
      action: { name: "READ" },
      evaluations: [{ resource: { type: "Chart", id: "c1" } }, { resource: { type: "Chart", id: "c2" } }],
    });
    const batch = openEvaluateBatch(withExplanation(decide, openExplain(graph)));
    // Entries were given, so the answer is that of a batch.
    const { evaluations } = (await batch(view(keepers), body, undefined, options)) as Decisions;
    expect(evaluations.map(({ context }) => context?.explanation?.candidates[0]?.outcome)).toEqual([
      "granted",
      "pattern_not_matched",
    ]);
    const ends = { subject: { type: "Nurse", id: "n1" }, resource: { type: "Chart", id: "c1" } };
    const found = await actions(view(keepers, limited), { ...asking(), ...ends }, undefined, {
      ...options,
      explain: true,
    });
    expect(found.results).toEqual([{ name: "READ" }]);
    expect(
      found.context?.explanation.map(({ action, candidates }) => [action, candidates[0]?.outcome]),
    ).toEqual([
      ["COUNT", "parameter_missing"],
      ["READ", "granted"],
    ]);
    const before = statements;
    await decide(view(keepers), { ...asking(), ...ends }, options);
    expect(statements - before).toBe(1);
  });
});
