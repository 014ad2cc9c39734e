import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { savePolicies } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { expectRefusal } from "../../src/requests/envelope.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { must } from "../../src/requests/must.ts";
import { type Answer, send } from "../../src/requests/send.ts";

/** Evaluations and searches say the same about one random graph, and a search finds exactly what an evaluation grants. */
let tenant: Tenant;

const people = Array.from({ length: 7 }, (_, i) => `p${i}`);
const doors = Array.from({ length: 6 }, (_, i) => `d${i}`);
const actions = ["OPEN", "LOCK", "PAINT"];
const person = (id: string) => ({ type: "Person", id });
const door = (id: string) => ({ type: "Door", id });

/** The same graph in every run: what is tested are the answers, not the luck. */
const owns = (i: number, j: number): boolean => (i * 7 + j * 5) % 4 === 0;
const knows = (i: number, j: number): boolean => (i * 3 + j) % 5 === 1;

const policy = (names: readonly string[], cypher: string) => ({
  policy: {
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: names,
    resource: { type: "Door" },
    condition: { cypher },
  },
});

beforeAll(async () => {
  tenant = await createTenant("authzen");
  await capture(
    {
      nodes: [
        ...people.map((id, i) => ({
          type: "Person",
          external_id: id,
          properties: [{ type: "level", value: i }],
        })),
        ...doors.map((id) => ({ type: "Door", external_id: id })),
      ],
      relationships: [
        ...people.flatMap((p, i) =>
          doors.flatMap((d, j) =>
            owns(i, j)
              ? [
                  {
                    source: { type: "Person", external_id: p },
                    target: { type: "Door", external_id: d },
                    type: "OWNS",
                  },
                ]
              : [],
          ),
        ),
        ...people.flatMap((p, i) =>
          people.flatMap((q, j) =>
            knows(i, j)
              ? [
                  {
                    source: { type: "Person", external_id: p },
                    target: { type: "Person", external_id: q },
                    type: "KNOWS",
                  },
                ]
              : [],
          ),
        ),
      ],
    },
    tenant,
  );
  await savePolicies(tenant.projectId, [
    policy(["OPEN", "LOCK"], "MATCH (subject)-[:OWNS]->(resource)"),
    policy(["OPEN"], "MATCH (subject)-[:KNOWS]->()-[:OWNS]->(resource)"),
    policy(["PAINT"], "MATCH (subject), (resource) WHERE subject.property.level >= $least"),
  ]);
}, 60_000);
afterAll(() => tenant.remove());

const post = (path: string, json: unknown, by: Credentials = tenant): Promise<Answer> =>
  withKey(`/access/v1${path}`, by, { json });
const context = { input_params: { least: 4 } };

describe("AuthZEN", () => {
  it("a batch says what single evaluations say, and searches find exactly what it grants", async () => {
    const all = people.flatMap((p) => doors.flatMap((d) => actions.map((name) => ({ p, d, name }))));
    const batch = must<{ evaluations: { decision: boolean }[] }>(
      await post("/evaluations", {
        context,
        evaluations: all.map(({ p, d, name }) => ({
          subject: person(p),
          resource: door(d),
          action: { name },
        })),
      }),
      200,
    ).evaluations.map(({ decision }) => decision);
    expect(batch).toHaveLength(all.length);
    const granted = (wanted: Partial<(typeof all)[number]>) =>
      all.filter(
        (each, i) =>
          batch[i] === true &&
          Object.entries(wanted).every(([key, value]) => Reflect.get(each, key) === value),
      );
    expect(granted({}).length).toBeGreaterThan(20);
    expect(granted({}).length).toBeLessThan(all.length - 20);

    const some = all.filter((_, i) => i % 11 === 0);
    await inParallel(some, async ({ p, d, name }) => {
      const question = { subject: person(p), resource: door(d), action: { name }, context };
      const { decision } = await evaluate(question, tenant);
      expect([p, d, name, decision]).toEqual([p, d, name, granted({ p, d, name }).length === 1]);
    });
    for (const name of long(["OPEN"], actions)) {
      await inParallel(people, async (p) => {
        const body = { subject: person(p), resource: { type: "Door" }, action: { name }, context };
        const { results } = must<{ results: { id: string }[] }>(await post("/search/resource", body), 200);
        expect(results).toEqual(granted({ p, name }).map(({ d }) => door(d)));
      });
      await inParallel(doors, async (d) => {
        const body = {
          subject: { type: "Person", id: "ignored" },
          resource: door(d),
          action: { name },
          context,
        };
        const { results } = must<{ results: { id: string }[] }>(await post("/search/subject", body), 200);
        expect(results).toEqual(granted({ d, name }).map(({ p }) => person(p)));
      });
    }
    await inParallel(long(["p0", "p2", "p6"], people), async (p) => {
      for (const d of doors.slice(0, 3)) {
        const body = { subject: person(p), resource: door(d), context };
        const { results } = must<{ results: { name: string }[] }>(await post("/search/action", body), 200);
        expect(results.map(({ name }) => name)).toEqual(
          granted({ p, d })
            .map(({ name }) => name)
            .toSorted(),
        );
      }
    });
  }, 60_000);

  it("pages joined are one big page", async () => {
    const body = { subject: { type: "Person" }, resource: door("d0"), action: { name: "OPEN" } };
    const whole = must<{ results: unknown[] }>(await post("/search/subject", body), 200).results;
    const joined: unknown[] = [];
    for (let token = ""; ;) {
      const page = token === "" ? { limit: 2 } : { token };
      const answer = must<{ page: { next_token: string }; results: unknown[] }>(
        await post("/search/subject", { ...body, page }),
        200,
      );
      joined.push(...answer.results);
      token = answer.page.next_token;
      if (token === "") break;
    }
    expect(joined).toEqual(whole);
    expect(whole.length).toBeGreaterThan(2);
  });

  it.each([
    ["/evaluations", { evaluations: {} }],
    ["/evaluations", { evaluations: [{}], options: [] }],
    ["/evaluations", { evaluations: [{}], options: { evaluations_semantic: "some" } }],
    ["/evaluations", { evaluations: Array.from({ length: 1_001 }, () => ({})) }],
    ["/evaluations", { subject: "ann", evaluations: [{}] }],
    ["/evaluations", {}],
    [
      "/search/subject",
      { subject: { type: "Person" }, resource: { type: "Door" }, action: { name: "OPEN" } },
    ],
    ["/search/subject", { resource: door("d0"), action: { name: "OPEN" } }],
    ["/search/action", { subject: person("p0"), resource: { type: "Door" } }],
    ["/search/action", { subject: person("p0") }],
    ["/search/action", { subject: person("p0"), resource: door("d0"), page: { limit: -1 } }],
    [
      "/search/subject",
      { subject: { type: "Person" }, resource: door("d0"), action: { name: "OPEN" }, page: { token: "x" } },
    ],
  ])("%s answers 400 to %j", async (path, body) => {
    expect((await post(path, body)).status).toBe(400);
  });

  it("publishes where it is, without a credential", async () => {
    const path = "/.well-known/authzen-configuration";
    const { status, headers, body } = await send(path);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "application/json; charset=utf-8",
      "max-age=300",
    ]);
    const base = environment().base_url;
    expect(body).toMatchObject({
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
    });
    const endpoints = Object.entries(body as Record<string, string>).filter(([name]) =>
      name.endsWith("_endpoint"),
    );
    expect(endpoints).toHaveLength(5);
    for (const [, url] of endpoints)
      expect((await withKey(url.slice(base.length), tenant, { json: {} })).status).toBe(400);
    const wrong = await send(path, { json: {} });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("lists the policies that decide, to agents that may read them", async () => {
    const reader = await createAgent(tenant.applicationId, ["ReadAuthZConfigs"]);
    const list = (query = "", by: Credentials = reader) => withKey(`/access/v1/policies${query}`, by);
    const { results } = must<{ results: { policy: { actions: string[] }; tags: unknown }[] }>(
      await list(),
      200,
    );
    expect(results.map((each) => [Object.keys(each), each.policy.actions])).toEqual([
      [
        ["policy", "tags"],
        ["OPEN", "LOCK"],
      ],
      [["policy", "tags"], ["OPEN"]],
      [["policy", "tags"], ["PAINT"]],
    ]);
    expect(must<{ results: unknown[] }>(await list("?subject_type=Robot"), 200).results).toEqual([]);
    expect(must<{ results: unknown[] }>(await list("?subject_type=Person"), 200).results).toHaveLength(3);
    expect((await list("?subject_type=9")).status).toBe(422);
    expect((await list("", tenant)).status).toBe(403);
  });
});

/**
 * Clients of AuthZEN that know one header only, as the published interoperability runners do: they send what they are
 * given in `Authorization`, and nothing else that tells who they are. They ask for what was asked above: its statements are
 * planned.
 */
describe("a client of AuthZEN with its key as the bearer", () => {
  const subject = person("p0");
  const action = { name: "OPEN" };
  const ask = (path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(path, { json, headers: { Authorization: `Bearer ${tenant.key}`, ...headers } });

  it.each([
    ["evaluation", { subject, action, resource: door("d0") }, { decision: true }],
    ["evaluation", { subject, action, resource: door("d3") }, { decision: false }],
    [
      "evaluations",
      { subject, action, evaluations: [{ resource: door("d0") }, { resource: door("d3") }] },
      { evaluations: [{ decision: true }, { decision: false }] },
    ],
    [
      "search/resource",
      { subject, action, resource: { type: "Door" } },
      { results: ["d0", "d1", "d2", "d4", "d5"].map(door) },
    ],
    [
      "search/subject",
      { subject: { type: "Person" }, action, resource: door("d0") },
      { results: [subject, person("p2"), person("p4")] },
    ],
    [
      "search/action",
      { subject, resource: door("d0"), context },
      { results: [{ name: "LOCK" }, { name: "OPEN" }] },
    ],
  ])("asks for %s %j", async (path, json, expected) => {
    const { status, body } = await ask(`/access/v1/${path}`, json);
    expect([status, body]).toEqual([200, expect.objectContaining(expected)]);
  });

  it("writes and queries as well, and learns which permission its agent lacks", async () => {
    const written = await ask("/capture/v1/nodes", { nodes: [{ type: "Window", external_id: "w" }] });
    expect(written.status).toBe(200);
    expect((await ask("/ciq/v1/execute", { id: "nothing-of-the-kind" })).status).toBe(404);
    const records = await send("/audit/v1/logs", { headers: { Authorization: `Bearer ${tenant.key}` } });
    expectRefusal(records, { status: 403, message: "permission missing: Audit" });
  });

  it("sends no key in a second place", async () => {
    const question = { subject, action, resource: door("d0") };
    const twice = await ask("/access/v1/evaluation", question, { "X-SVC-ClientKey": tenant.key });
    expect(twice.status).toBe(400);
    expect(twice.text).not.toContain(tenant.key);
  });

  it("does not open the configuration", async () => {
    const { status } = await send("/configs/v1/projects", {
      headers: { Authorization: `Bearer ${tenant.key}` },
    });
    expect(status).toBe(401);
  });
});
