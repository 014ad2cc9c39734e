import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey, projectLabel } from "@ikg/physical";
import { problemOf } from "../../../stack/src/testing/problem-of.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { pageTokens } from "../src/decisions/page-token.ts";
import { openSearch, type Search } from "../src/decisions/search.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";

const pk = newProjectKey(randomBytes(8));
const label = projectLabel(pk);
const options = { timeoutMs: 80_000 };
let graph: Graph;
let decide: Decide;
let search: Search;

/** 30 charts of one ward; the even ones are open. */
const charts = Array.from({ length: 30 }, (_, index) => `c${String(index).padStart(2, "0")}`);

beforeAll(async () => {
  graph = connectGraph(neo4jOfTests());
  await graph.prepare();
  await graph.shared.write(
    (tx) =>
      tx.run(
        `CREATE (n:_Node:${label}:Nurse__${pk} {_key: $pk + '/Nurse/n1', external_id: 'n1', id: $pk + 'n1', type: 'Nurse'})
         CREATE (w:_Node:${label}:Ward__${pk} {_key: $pk + '/Ward/w1', external_id: 'w1', id: $pk + 'w1', type: 'Ward'})
         CREATE (n)-[:ON]->(w)
         WITH w UNWIND range(0, size($charts) - 1) AS i
         CREATE (w)-[:HOLDS]->(:_Node:${label}:Chart__${pk} {_key: $pk + '/Chart/' + $charts[i], external_id: $charts[i],
           id: $pk + $charts[i], type: 'Chart', open: i % 2 = 0, title: 'text'})`,
        { pk, charts },
      ),
    options,
  );
  decide = openDecide(graph);
  search = openSearch({ graph, tokens: pageTokens(randomBytes(32)), decide }, "resource");
});

afterAll(async () => {
  await graph.shared.write((tx) => tx.run(`MATCH (n:${label}) DETACH DELETE n`, {}), options);
  await graph.close();
});

const policy = (cypher: string, version = "2.0-kbac", filter?: unknown): StoredKbacPolicy =>
  storedPolicy({ cypher, version, filter });

const project = projectOf(pk);

const snapshot = (...policies: StoredKbacPolicy[]): ProjectSnapshot => snapshotOf(project, policies);

const question = (changes: Record<string, unknown> = {}) => ({
  subject: { type: "Nurse", id: "n1" },
  resource: { type: "Chart", id: "c00" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
  ...changes,
});

const token = (subject: string) => ({ subject, claims: { sub: subject }, configId: "x", nodeType: "Token" });

const open = policy("MATCH (subject)-[:ON]->()-[:HOLDS]->(resource) WHERE resource.property.open");
const limited = policy("MATCH (subject), (resource) WHERE resource.property.level < $max");
/** Fails in the database: a text has no year. */
const broken = policy("MATCH (subject), (resource) WHERE date(resource.property.title) = date('2026-01-01')");

describe("a decision", () => {
  it("is true when one candidate grants, false otherwise", async () => {
    expect(await decide(snapshot(open), question(), options)).toEqual({ decision: true });
    const other = question({ resource: { type: "Chart", id: "c01" } });
    expect(await decide(snapshot(open), other, options)).toEqual({ decision: false });
    expect(await decide(snapshot(), question(), options)).toEqual({ decision: false });
  });

  it("lets a grant win over a candidate that lacks a parameter, and names the parameter otherwise", async () => {
    expect(await decide(snapshot(limited, open), question(), options)).toEqual({ decision: true });
    const problem = await problemOf(decide(snapshot(limited), question(), options));
    expect(problem).toMatchObject({ status: 422, errors: ["missing or wrong input params, 'max'"] });
  });

  it("lets a grant win over a candidate that the database fails on, and fails otherwise", async () => {
    expect(await decide(snapshot(broken, open), question(), options)).toEqual({ decision: true });
    const problem = await problemOf(decide(snapshot(broken), question(), options));
    expect(problem.envelope()).toEqual({
      message: "Unprocessable Entity",
      errors: ["policy: cannot be evaluated with the values of the request and the graph"],
    });
  });

  it("keeps a failure to the caller whose row failed", async () => {
    const candidates = snapshot(policy("MATCH (subject), (resource) WHERE date($day) = date('2026-01-01')"));
    const ask = (day: string) =>
      decide(candidates, question({ context: { input_params: { day } } }), options);
    const [good, bad, no] = await Promise.allSettled([ask("2026-01-01"), ask("no day"), ask("2026-01-02")]);
    expect(good).toMatchObject({ value: { decision: true } });
    expect(bad).toMatchObject({ status: "rejected" });
    expect(no).toMatchObject({ value: { decision: false } });
  });

  it("gives a candidate values that are too large for another one", async () => {
    // The heavy one takes lists of at most 1,000 entries.
    const heavy = policy(
      "MATCH (subject), (resource) WHERE any(a IN $request.context.a WHERE any(b IN $request.context.a WHERE a = b))",
    );
    const known = policy("MATCH (subject), (resource) WHERE subject.external_id IN $request.context.a");
    const absent = policy("MATCH (subject), (resource) WHERE $request.context.a IS NULL");
    const request = question({ context: { a: [...Array.from({ length: 1_000 }, String), "n1"] } });
    expect(await decide(snapshot(heavy), request, options)).toEqual({ decision: false });
    expect(await decide(snapshot(heavy, known), request, options)).toEqual({ decision: true });
    expect(await decide(snapshot(known, heavy), request, options)).toEqual({ decision: true });
    expect(await decide(snapshot(heavy, absent), request, options)).toEqual({ decision: false });
  });

  it("gives the advice of a filter that failed, and says that a token is needed", async () => {
    const filter = { operator: "=", attribute: "$token.plan", value: "gold", advice: { error: "upgrade" } };
    const scoped = policy("MATCH (subject), (resource)", "2.0-kbac", filter);
    expect(await decide(snapshot(scoped), question({ token: token("n1") }), options)).toEqual({
      decision: false,
      context: { reason: "policy filter not satisfied", advice: [{ error: "upgrade" }] },
    });
    const plain = policy("MATCH (subject), (resource)", "2.0-kbac", { ...filter, advice: undefined });
    expect(await decide(snapshot(plain), question(), options)).toEqual({
      decision: false,
      context: { reason: "a policy filter reads the bearer token, and none was sent" },
    });
    expect(await decide(snapshot(plain), question({ token: token("n1") }), options)).toEqual({
      decision: false,
    });
  });

  it("refuses a token of another user as soon as one candidate is 3.0-kbac", async () => {
    const strict = policy("MATCH (subject), (resource)", "3.0-kbac");
    const foreign = question({ token: token("n2") });
    expect((await problemOf(decide(snapshot(open, strict), foreign, options))).status).toBe(403);
    expect(await decide(snapshot(open), foreign, options)).toEqual({ decision: true });
    expect(await decide(snapshot(strict), question({ token: token("n1") }), options)).toEqual({
      decision: true,
    });
    expect(await decide(snapshot(strict), question(), options)).toEqual({ decision: true });
  });
});

describe("a search for resources", () => {
  const evens = charts.filter((_, index) => index % 2 === 0);

  it("finds what evaluations grant, in order, without a page when it fits", async () => {
    const { results, page } = await search(snapshot(open), question(), undefined, options);
    expect(results).toEqual(evens.map((id) => ({ type: "Chart", id })));
    expect(page).toBeUndefined();
  });

  it("walks the same set page by page", async () => {
    const walked: string[] = [];
    let next: string | undefined;
    do {
      const page = next === undefined ? { limit: 4 } : { limit: 4, token: next };
      const answer = await search(snapshot(open), question(), page, options);
      walked.push(...answer.results.map(({ id }) => id));
      expect(answer.page?.count).toBe(answer.results.length);
      next = answer.page?.next_token;
    } while (next !== "");
    expect(walked).toEqual(evens);
  });

  it("merges the finds of several policies", async () => {
    const odd = policy("MATCH (subject), (resource) WHERE NOT resource.property.open");
    const { results } = await search(snapshot(open, odd, open), question(), { limit: 100 }, options);
    expect(results.map(({ id }) => id)).toEqual(charts);
  });

  it("counts for limit 0", async () => {
    const answer = await search(snapshot(open), question(), { limit: 0 }, options);
    expect(answer).toMatchObject({ results: [], page: { count: 0, total: evens.length } });
    expect(answer.page?.next_token).not.toBe("");
  });

  it("refuses a token of another search, and another limit", async () => {
    const first = await search(snapshot(open), question(), { limit: 4 }, options);
    const next = first.page?.next_token ?? "";
    const others = question({ subject: { type: "Nurse", id: "n2" } });
    expect((await problemOf(search(snapshot(open), others, { token: next }, options))).status).toBe(400);
    expect(
      (await problemOf(search(snapshot(open), question(), { token: next, limit: 5 }, options))).status,
    ).toBe(400);
    expect((await search(snapshot(open), question(), { token: next }, options)).results).toHaveLength(4);
  });

  it("leaves out a candidate that the database fails on, and says so when nothing is found", async () => {
    expect((await search(snapshot(open, broken), question(), undefined, options)).results).toHaveLength(
      evens.length,
    );
    expect((await problemOf(search(snapshot(broken), question(), undefined, options))).status).toBe(422);
  });

  it("names a missing parameter only when nothing was found without it", async () => {
    expect((await search(snapshot(open, limited), question(), undefined, options)).results).toHaveLength(
      evens.length,
    );
    expect((await problemOf(search(snapshot(limited), question(), undefined, options))).status).toBe(422);
    expect(await search(snapshot(), question(), undefined, options)).toEqual({ results: [] });
  });
});

describe("KBAC2_REQUIRE_IDENTITY", () => {
  const strict = { requireIdentity: true };
  const newer = policy(
    "MATCH (subject)-[:ON]->()-[:HOLDS]->(resource) WHERE resource.property.open",
    "3.0-kbac",
  );
  const isIdentity = (value: boolean): Promise<unknown> =>
    graph.shared.write(
      (tx) =>
        tx.run("MATCH (n:_Node {_key: $key}) SET n.is_identity = $value", { key: `${pk}/Nurse/n1`, value }),
      options,
    );

  it("keeps a subject that is no identity node from 2.0 policies, in decisions and searches", async () => {
    const decideStrictly = openDecide(graph, strict);
    const searchStrictly = openSearch(
      { graph, tokens: pageTokens(randomBytes(32)), decide: decideStrictly, switches: strict },
      "resource",
    );
    for (const [identity, decision] of [
      [false, false],
      [true, true],
    ] as const) {
      await isIdentity(identity);
      expect(await decideStrictly(snapshot(open), question(), options)).toEqual({ decision });
      const found = await searchStrictly(snapshot(open), question(), undefined, options);
      expect(found.results.length > 0).toBe(decision);
    }
    await isIdentity(false);
    expect(await decide(snapshot(open), question(), options)).toEqual({ decision: true });
    const own = question({ token: token("n1") });
    expect(await decideStrictly(snapshot(newer), own, options)).toEqual({ decision: true });
  });
});
