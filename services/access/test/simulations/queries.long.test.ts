import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { SimulatedQuery } from "@ikg/contracts";
import { nameKey, recordLabel } from "@ikg/physical";
import { openOffice } from "./office.ts";
import { options, type SimulationsUnderTest } from "./simulations-under-test.ts";

let service: SimulationsUnderTest;
beforeAll(async () => void (service = await openOffice()), 120_000);
afterAll(() => service?.close());

/** What teams own may be read by their members; p0 and p3 are in team 0, which owns d0, d3, d6 and a note. */
const policy = (more: object = {}) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: { cypher: "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team)-[:OWNS]->(d:Document)" },
  allowed_reads: { nodes: ["d.external_id", "d.property.level", "d.property.title", "t.external_id"] },
  ...more,
});
const filter = (attribute: string, operator: string, value: unknown) => ({ attribute, operator, value });
const levels = { nodes: ["d.property.level"] };

const putPolicy = (text: object, name = "team-reads") => ({
  op: "put",
  collection: "authorization-policies",
  name,
  record: { policy: text, status: "ACTIVE" },
});
const putQuery = (text: object, name = "levels", reference: object = { policy: "team-reads" }) => ({
  op: "put",
  collection: "knowledge-queries",
  name,
  record: { query: text, status: "ACTIVE", ...reference },
});
const remove = (collection: string, name: string) => ({ op: "delete", collection, name });

const p0 = { token: { sub: "p0" } };

const run = async (changes: readonly object[], query: object = {}): Promise<SimulatedQuery> => {
  const { complete, queries } = await service.simulate(changes, {
    queries: [{ name: "levels", as: p0, ...query }],
  });
  const [first] = queries ?? [];
  if (first === undefined) throw new Error("no query was run");
  expect(first.complete).toBe(complete);
  return first;
};

const ids = (difference: SimulatedQuery["only_before"], alias = "d"): readonly string[] =>
  (difference?.examples ?? []).map(({ nodes }) => String(nodes[alias])).toSorted();

beforeEach(async () => {
  service.setPolicies();
  await service.setRecords(
    { name: "team-reads", text: policy() },
    { name: "levels", text: levels, policy: "team-reads" },
  );
});

/** What the sides answer, in numbers. */
const numbers = ({ rows_before, rows_after, only_before, only_after }: SimulatedQuery) => ({
  rows: [rows_before, rows_after],
  only: [only_before?.count, only_after?.count],
});

describe("a query of a simulation", () => {
  it("says which rows a narrower query leaves out, by the names of their nodes", async () => {
    const narrower = { ...levels, filter: filter("d.property.level", ">", 2) };
    const found = await run([putQuery(narrower)]);
    expect(found).toEqual({
      query: 0,
      name: "levels",
      complete: true,
      rows_before: 5,
      rows_after: 3,
      only_before: { count: 2, examples: expect.any(Array) },
      only_after: { count: 0, examples: [] },
    });
    expect(ids(found.only_before)).toEqual(["d0", "n"]);
    expect(found.only_before?.examples.every((each) => !("row" in each))).toBe(true);
    const back = { ...levels, filter: filter("d.property.level", "<", 2) };
    expect(numbers(await run([putQuery(back)]))).toEqual({ rows: [5, 2], only: [3, 0] });
  });

  it("has the values of a row where they are asked for, and no more examples than are wanted", async () => {
    const wider = policy({
      condition: { cypher: "MATCH (subject:Person)-[:WROTE]->(d:Document), (t:Team)" },
    });
    const found = await run([putPolicy(wider)], { values: true });
    expect(numbers(found)).toEqual({ rows: [5, 3], only: [4, 2] });
    expect(found.only_after?.examples[0]).toEqual({
      nodes: { d: "d0" },
      row: { nodes: { "d.property.level": 0 } },
    });
    const { queries } = await service.simulate([putPolicy(wider)], {
      examples: 1,
      queries: [{ name: "levels", as: p0 }],
    });
    expect(queries?.[0]?.only_before).toEqual({ count: 4, examples: [expect.any(Object)] });
  });

  it("compares what both answers show, and lists what only one of them shows", async () => {
    const more = { nodes: ["d.property.level", "d.property.title"] };
    const found = await run([putQuery(more)]);
    expect(numbers(found)).toEqual({ rows: [5, 5], only: [0, 0] });
    expect([found.columns_only_before, found.columns_only_after]).toEqual([undefined, ["d.property.title"]]);
    const other = await run([putQuery({ nodes: ["t.external_id"] })]);
    expect(numbers(other)).toEqual({ rows: [5, 5], only: [5, 5] });
    expect(ids(other.only_after, "t")).toEqual(["0", "0", "0", "0", "0"]);
  });

  it("compares aggregates by their values", async () => {
    const condition = {
      cypher:
        "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team)-[:OWNS]->(d:Document) WITH subject, t, count(d) AS documents",
    };
    const counts = policy({
      condition,
      allowed_reads: { nodes: ["t.external_id"], aggregate_values: ["documents"] },
    });
    await service.setRecords(
      { name: "team-reads", text: counts },
      {
        name: "levels",
        text: { nodes: ["t.external_id"], aggregate_values: ["documents"] },
        policy: "team-reads",
      },
    );
    const fewer = {
      ...counts,
      condition: { cypher: condition.cypher.replace("WITH", "WHERE d.property.level > 2 WITH") },
    };
    const found = await run([putPolicy(fewer)], { values: true });
    expect(numbers(found)).toEqual({ rows: [1, 1], only: [1, 1] });
    expect(found.only_after?.examples).toEqual([
      { nodes: { t: "0" }, row: { nodes: { "t.external_id": "0" }, aggregate_values: { documents: 3 } } },
    ]);
  });

  it("is what would be matched by a query that writes, and writes nothing", async () => {
    const writes = policy({ allowed_upserts: { nodes: { existing_nodes: ["d"] } } });
    const query = {
      upsert_nodes: [{ name: "d", properties: [{ type: "title", value: "$title" }] }],
      filter: filter("d.property.level", ">", 2),
    };
    const dump = () =>
      service.graph.shared.read(
        `MATCH (n:${service.label}) RETURN n._key AS key, properties(n) AS properties ORDER BY key`,
        {},
        options,
      );
    const before = await dump();
    const found = await run([putPolicy(writes), putQuery(query)], { input_params: { title: "new" } });
    expect([found.writes, numbers(found)]).toEqual([true, { rows: [5, 3], only: [2, 0] }]);
    expect(ids(found.only_before)).toEqual(["d0", "n"]);
    expect(await dump()).toEqual(before);
  });

  it("is refused as an execution would be, before or after", async () => {
    const none = { count: 0, examples: [] };
    const refusedAfter = async (changes: readonly object[], query?: object) => {
      const { refused_after, only_before, only_after } = await run(changes, query);
      expect([only_before?.count, only_after]).toEqual([5, none]);
      return refused_after;
    };
    expect(await refusedAfter([remove("knowledge-queries", "levels")])).toEqual({ code: "not_found" });
    expect(await refusedAfter([remove("authorization-policies", "team-reads")])).toEqual({
      code: "not_found",
    });
    expect(await refusedAfter([putPolicy(policy({ allowed_reads: { nodes: ["t.external_id"] } }))])).toEqual({
      code: "unprocessable",
      errors: [expect.stringContaining("d.property.level")],
    });
    const limited = { ...levels, filter: filter("d.property.level", "<", "$limit") };
    expect(await refusedAfter([putQuery(limited)])).toEqual({
      code: "input_param_missing",
      errors: [expect.stringContaining("limit")],
    });
    const { condition } = policy();
    const gilded = policy({ condition: { ...condition, token_filter: filter("$token.plan", "=", "gold") } });
    expect(await refusedAfter([putPolicy(gilded)])).toEqual({
      code: "token_filter_failed",
    });
    expect(numbers(await run([putQuery(limited)], { input_params: { limit: 5 } })).only).toEqual([2, 0]);
    const gold = { as: { token: { sub: "p0", plan: "gold" } } };
    expect(numbers(await run([putPolicy(gilded)], gold)).only).toEqual([0, 0]);
    const nobody = await run([putQuery(limited)], { as: null });
    expect([nobody.refused_before, nobody.refused_after, numbers(nobody)]).toEqual([
      { code: "bearer_required" },
      { code: "bearer_required" },
      { rows: [0, 0], only: [0, 0] },
    ]);
  });

  it("is new, or of a record that is not in force today", async () => {
    await service.setRecords({ name: "team-reads", text: policy(), status: "INACTIVE" });
    const found = await run([putPolicy(policy()), putQuery(levels)]);
    expect([found.refused_before, numbers(found)]).toEqual([
      { code: "not_found" },
      { rows: [0, 5], only: [0, 5] },
    ]);
    const idle = await run([putQuery(levels)]);
    expect([idle.refused_before, idle.refused_after]).toEqual([{ code: "not_found" }, { code: "not_found" }]);
  });

  it("is run as the application that is named", async () => {
    const application = (cypher: string) => ({
      ...policy({ condition: { cypher } }),
      subject: { type: "_Application" },
      allowed_reads: { nodes: ["d.external_id"] },
    });
    const owned = "MATCH (subject:_Application)-[:READS]->(d:Document)";
    await service.write(
      `MATCH (d:_Node {_key: $pk + '/Document/d1'})
       CREATE (:_Node:${service.label}:_Application__${service.project.pk} {_key: $pk + '/_Application/app', external_id: 'app', id: $pk + 'app', type: '_Application'})-[:READS]->(d)`,
    );
    await service.setRecords(
      { name: "team-reads", text: application(owned) },
      { name: "levels", text: { nodes: ["d.external_id"] }, policy: "team-reads" },
    );
    await service.write(`CREATE (r:${recordLabel}) SET r = $record`, {
      record: {
        id: "app",
        kind: "application",
        project_id: service.project.id,
        name: "dispatch",
        name_key: nameKey("application", service.project.id, "dispatch"),
      },
    });
    const stricter = application(`${owned} WHERE d.property.level > 5`);
    for (const named of ["app", "dispatch"]) {
      const found = await run([putPolicy(stricter)], { as: { application: named } });
      expect([ids(found.only_before), numbers(found).rows]).toEqual([["d1"], [1, 0]]);
    }
    const { status, text } = await service.send({
      changes: [putPolicy(stricter)],
      queries: [{ name: "levels", as: { application: "tower" } }],
    });
    expect([status, JSON.parse(text)]).toMatchObject([
      422,
      { errors: ["queries[0].as.application: id or name of an application of the project expected"] },
    ]);
    const unknown = await run([putPolicy(stricter)], { as: null });
    expect(unknown.refused_before).toEqual({
      code: "unprocessable",
      errors: [expect.stringContaining("as.application")],
    });
  });

  it("is counted where there are too many rows to compare, and left for later when the time is over", async () => {
    const pairs = (more: string) =>
      policy({
        condition: {
          cypher: `MATCH (subject:Person), (d:Document), (e:Document), (f:Document), (g:Document), (t:Team)${more}`,
        },
      });
    await service.setRecords(
      { name: "team-reads", text: pairs(", (a:Person)") },
      { name: "levels", text: levels, policy: "team-reads" },
    );
    const found = await run([putPolicy(pairs(""))]);
    expect(found).toEqual({
      query: 0,
      name: "levels",
      complete: false,
      rows_before: 11 ** 4 * 3 * 9,
      rows_after: 11 ** 4 * 3,
    });
  });

  it("continues with the queries that are left, and does not run the others again", async () => {
    const heavy = policy({
      condition: {
        cypher:
          "MATCH (subject:Person), (d:Document), (a:Document), (b:Document), (c:Document), (e:Document), (f:Document), (g:Document) WHERE a.property.level + b.property.level + c.property.level + e.property.level + f.property.level + g.property.level = 55",
      },
      allowed_reads: { nodes: ["d.property.level"] },
    });
    await service.setRecords(
      { name: "team-reads", text: policy() },
      { name: "heavy-policy", text: heavy },
      { name: "levels", text: levels, policy: "team-reads" },
      { name: "heavy", text: levels, policy: "heavy-policy" },
    );
    const queries = [
      { name: "levels", as: p0 },
      { name: "heavy", as: p0 },
    ];
    const changes = [
      putPolicy(policy({ condition: { cypher: "MATCH (subject:Person)-[:WROTE]->(d:Document), (t:Team)" } })),
    ];
    const first = await service.simulate(changes, { queries, budget_ms: 300 });
    expect(first.queries).toMatchObject([{ name: "levels" }]);
    expect([first.complete, typeof first.next]).toEqual([false, "string"]);
    const second = await service.simulate(changes, { queries, budget_ms: 300, next: first.next });
    expect([second.complete, second.queries]).toEqual([false, []]);
  });

  it("is 422 for a name that no query has, and for queries that cannot be saved", async () => {
    const faults = async (body: object): Promise<unknown> => {
      const { status, text } = await service.send(body);
      return [status, (JSON.parse(text) as { errors?: unknown }).errors];
    };
    const changes = [putQuery(levels)];
    expect(await faults({ changes, queries: [{ name: "other", as: null }] })).toEqual([
      422,
      ["queries[0].name: no knowledge query of this name, neither before nor after the changes"],
    ]);
    expect(
      await faults({
        changes: [
          putQuery({ nodes: ["t.property.secret"] }),
          putQuery(levels, "second", { policy: "not-there" }),
          putQuery(levels, "third", { policy: "team-reads" }),
        ],
      }),
    ).toEqual([
      422,
      [
        expect.stringMatching(/^changes\[0\]\.query\.nodes\[0\]/),
        "changes[1].record.policy: no such policy exists after the changes",
      ],
    ]);
    expect(await faults({ changes, queries: [{ name: "levels", as: { sub: "p0" } }] })).toEqual([
      422,
      [expect.stringContaining("queries[0].as")],
    ]);
  });
});
