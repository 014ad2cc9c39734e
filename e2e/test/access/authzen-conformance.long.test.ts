import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { type Answer, send, type Sending } from "../../src/requests/send.ts";

/** What a client of AuthZEN 1.0 may rely on. */
let tenant: Tenant;

const person = (id: string) => ({ type: "Person", id });
const door = (id: string) => ({ type: "Door", id });
const opening = { subject: person("ann"), action: { name: "OPEN" }, resource: door("d1") };
const search = {
  resource: { subject: person("ann"), action: { name: "OPEN" }, resource: { type: "Door" } },
  subject: { subject: { type: "Person" }, action: { name: "OPEN" }, resource: door("d1") },
  action: { subject: person("ann"), resource: door("d1") },
};

beforeAll(async () => {
  tenant = await createTenant("authzen-conformance");
  await capture(
    {
      nodes: [
        { type: "Person", external_id: "ann" },
        { type: "Person", external_id: "bob" },
        ...["d1", "d2", "d3"].map((external_id) => ({ type: "Door", external_id })),
      ],
      relationships: ["d1", "d2"].map((id) => ({
        source: { type: "Person", external_id: "ann" },
        target: { type: "Door", external_id: id },
        type: "OWNS",
      })),
    },
    tenant,
  );
  await savePolicy(tenant.projectId, ownersMay("OPEN", "LOCK"));
});
afterAll(() => tenant?.remove());

const post = (path: string, json: unknown, sending: Sending = {}): Promise<Answer> =>
  withKey(`/access/v1/${path}`, tenant, { json, ...sending });
const status = async (path: string, json: unknown): Promise<number> => (await post(path, json)).status;
/** The body of a 200, an object whose members the tests look at. */
const body = async (path: string, json: unknown): Promise<Record<string, unknown>> => {
  const answer = await post(path, json);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as Record<string, unknown>;
};
const without = (value: object, path: string): unknown => {
  const [first = "", ...rest] = path.split(".");
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
      if (name !== first) return [[name, each]];
      return rest.length === 0 ? [] : [[name, without(each as object, rest.join("."))]];
    }),
  );
};
const required = [
  "subject",
  "action",
  "resource",
  "subject.type",
  "subject.id",
  "action.name",
  "resource.type",
  "resource.id",
];
const decisions = async (json: object): Promise<unknown[]> => {
  const { evaluations } = await body("evaluations", json);
  return (evaluations as { decision: unknown }[]).map(({ decision }) => decision);
};
const doors = (...ids: string[]) => ids.map((id) => ({ resource: door(id) }));

describe("conformance to AuthZEN", () => {
  it.each(required)("400 without %s", async (path) => {
    expect(await status("evaluation", without(opening, path))).toBe(400);
  });

  it.each([
    ["a subject that is a text", { ...opening, subject: "ann" }],
    ["an action whose name is a number", { ...opening, action: { name: 7 } }],
    ["a resource that is a list", { ...opening, resource: [] }],
    ["a context that is a text", { ...opening, context: "x" }],
  ])("400 for %s", async (_name, json) => {
    expect(await status("evaluation", json)).toBe(400);
  });

  it.each([
    ["malformed JSON", "{", "application/json"],
    ["an empty body", "", "application/json"],
    ["another type", JSON.stringify(opening), "text/plain"],
    ["a list", "[]", "application/json"],
  ])("400 for %s", async (_name, raw, type) => {
    const answer = await withKey("/access/v1/evaluation", tenant, {
      raw,
      headers: { "Content-Type": type },
    });
    expect(answer.status).toBe(400);
  });

  it("what is not known changes nothing", async () => {
    const more = {
      ...opening,
      subject: { ...person("ann"), properties: { role: "admin" }, other: 1 },
      context: { time: "2026-01-01", input_params: { unused: 1 } },
      unknown: { deep: [1] },
    };
    expect(await body("evaluation", more)).toEqual({ decision: true });
    const denied = { ...more, resource: { ...door("d3"), properties: { owner: "ann" } } };
    expect(await body("evaluation", denied)).toEqual({ decision: false });
  });

  it("a decision is a boolean, and a denial is 200", async () => {
    for (const [id, decision] of [
      ["d1", true],
      ["d3", false],
      ["nowhere", false],
    ] as const)
      expect(await body("evaluation", { ...opening, resource: door(id) })).toEqual({ decision });
  });

  it("X-Request-ID comes back as it was, or is made", async () => {
    for (const path of ["evaluation", "evaluations", "search/resource", "nope"]) {
      const answer = await post(path, opening, { headers: { "X-Request-ID": "a b/~1" } });
      expect(answer.headers.get("x-request-id")).toBe("a b/~1");
    }
    expect((await post("evaluation", opening)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("a batch has an answer for each entry, in order", async () => {
    const { subject, action } = opening;
    expect(await decisions({ subject, action, evaluations: doors("d1", "d3", "d2", "d1") })).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("without entries it is one evaluation", async () => {
    expect(await body("evaluations", opening)).toEqual({ decision: true });
    expect(await body("evaluations", { ...opening, evaluations: [] })).toEqual({ decision: true });
  });

  it("members above are defaults, and an entry's own replace them whole", async () => {
    const json = {
      ...opening,
      context: { policy_tags: ["none"] },
      evaluations: [{}, { context: {} }, { subject: person("bob"), context: {} }],
    };
    expect(await decisions(json)).toEqual([false, true, false]);
  });

  it("three semantics by these names", async () => {
    const { subject, action } = opening;
    const ask = (evaluations_semantic: string | undefined, ...ids: string[]) =>
      decisions({ subject, action, evaluations: doors(...ids), options: { evaluations_semantic } });
    expect(await ask(undefined, "d3", "d1", "d3")).toEqual([false, true, false]);
    expect(await ask("execute_all", "d3", "d1", "d3")).toEqual([false, true, false]);
    expect(await ask("deny_on_first_deny", "d1", "d3", "d2")).toEqual([true, false]);
    expect(await ask("permit_on_first_permit", "d3", "d1", "d2")).toEqual([false, true]);
    const other = { ...opening, evaluations: doors("d1"), options: { evaluations_semantic: "any" } };
    expect(await status("evaluations", other)).toBe(400);
  });

  it("an entry at fault is denied, and the call stays 200, without a decision of its own", async () => {
    const { subject } = opening;
    const answer = await body("evaluations", { subject, evaluations: [opening, { resource: door("d1") }] });
    expect(answer).not.toHaveProperty("decision");
    expect(answer["evaluations"]).toMatchObject([
      { decision: true },
      { decision: false, context: { error: { status: 400, message: expect.any(String) } } },
    ]);
  });

  it("the id of what is sought is ignored", async () => {
    const plain = await body("search/resource", search.resource);
    expect(await body("search/resource", { ...search.resource, resource: door("d3") })).toEqual(plain);
    const subjects = await body("search/subject", search.subject);
    expect(await body("search/subject", { ...search.subject, subject: person("bob") })).toEqual(subjects);
    const actions = await body("search/action", search.action);
    expect(await body("search/action", { ...search.action, action: { name: "OPEN" } })).toEqual(actions);
  });

  it("only what is sought is found, and nothing is an empty list", async () => {
    expect(await body("search/resource", search.resource)).toEqual({ results: [door("d1"), door("d2")] });
    expect(await body("search/subject", search.subject)).toEqual({ results: [person("ann")] });
    expect(await body("search/action", search.action)).toEqual({
      results: [{ name: "LOCK" }, { name: "OPEN" }],
    });
    for (const json of [
      { ...search.resource, subject: person("nobody") },
      { ...search.resource, subject: { type: "Robot", id: "r" } },
      { ...search.resource, resource: { type: "Window" } },
      { ...search.resource, action: { name: "FLY" } },
    ])
      expect(await body("search/resource", json)).toEqual({ results: [] });
  });

  it.each([
    ["resource", ["subject", "action", "resource", "subject.id", "action.name", "resource.type"]],
    ["subject", ["subject", "action", "resource", "resource.id", "subject.type"]],
    ["action", ["subject", "resource", "subject.id", "resource.id"]],
  ] as const)("a search for a %s is 400 without what it needs", async (name, paths) => {
    for (const path of paths)
      expect([path, await status(`search/${name}`, without(search[name], path))]).toEqual([path, 400]);
  });

  it("what is found is granted", async () => {
    const { results } = (await body("search/resource", search.resource)) as { results: { id: string }[] };
    for (const { id } of results)
      expect(await body("evaluation", { ...opening, resource: door(id) })).toEqual({ decision: true });
  });

  it("pages go on by a token that belongs to one search", async () => {
    const first = await post("search/resource", { ...search.resource, page: { limit: 1 } });
    expect(first.text).toMatch(/^\{"page":/);
    const { page, results } = first.body as { page: { next_token: string }; results: unknown[] };
    expect(results).toEqual([door("d1")]);
    const last = await body("search/resource", {
      ...search.resource,
      page: { token: page.next_token, limit: 1 },
    });
    expect(last).toMatchObject({ page: { next_token: "" }, results: [door("d2")] });
    expect(await body("search/resource", { ...search.resource, page: {} })).toMatchObject({
      page: { next_token: "" },
    });
    for (const json of [
      { ...search.resource, subject: person("bob"), page: { token: page.next_token } },
      { ...search.resource, page: { token: page.next_token, limit: 2 } },
      { ...search.resource, page: { token: "forged" } },
      { ...search.resource, page: { limit: -1 } },
      { ...search.resource, page: { limit: 1.5 } },
    ])
      expect(await status("search/resource", json)).toBe(400);
  });

  it("answers are JSON objects", async () => {
    for (const [path, json] of [
      ["evaluation", opening],
      ["evaluations", { ...opening, evaluations: doors("d1") }],
      ["search/resource", search.resource],
      ["search/subject", search.subject],
      ["search/action", search.action],
      ["evaluation", {}],
    ] as const) {
      const answer = await post(path, json);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.text).toMatch(/^\{/);
    }
  });

  it("the metadata document names the two addresses that it must", async () => {
    const answer = await send("/.well-known/authzen-configuration");
    expect(answer.status).toBe(200);
    const base = (answer.body as { policy_decision_point: string }).policy_decision_point;
    expect(answer.body).toMatchObject({ access_evaluation_endpoint: `${base}/access/v1/evaluation` });
  });

  it("401 with a challenge for who does not say who asks", async () => {
    for (const sending of [{}, { headers: { "X-SVC-ClientKey": "wrong" } }]) {
      const answer = await send("/access/v1/evaluation", { ...sending, json: opening });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "ClientKey"]);
    }
  });

  it("the same question has the same answer", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => body("evaluation", opening)));
    for (const answer of answers) expect(answer).toEqual({ decision: true });
  });

  it("what is too large or too deep is refused", async () => {
    const deep = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
    const nested = { ...opening, context: JSON.parse(deep) as object };
    expect(await status("evaluation", nested)).toBe(400);
    const large = { ...opening, context: { text: "x".repeat(2 * 1024 * 1024) } };
    expect(await status("evaluation", large)).toBe(413);
    const many = { ...opening, evaluations: Array.from({ length: 1_001 }, () => ({})) };
    expect(await status("evaluations", many)).toBe(400);
  });

  it("extensions do not affect conformance: policy tags, explanations, consistency tokens", async () => {
    expect(await body("evaluation", { ...opening, context: { policy_tags: ["x"] } })).toEqual({
      decision: false,
    });
    const refused = await post("evaluation", opening, { headers: { "X-Explain": "true" } });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("ReadAuthZConfigs")]);
    const written = await withKey("/capture/v1/nodes", tenant, {
      json: { nodes: [{ type: "Person", external_id: "cid" }] },
    });
    const token = written.headers.get("x-consistency-token") ?? "";
    expect(token).not.toBe("");
    const answer = await post("evaluation", opening, { headers: { "X-Consistency-Token": token } });
    expect([answer.status, answer.body]).toEqual([200, { decision: true }]);
    const forged = await post("evaluation", opening, { headers: { "X-Consistency-Token": `${token}x` } });
    expect(forged.status).toBe(400);
  });
});
