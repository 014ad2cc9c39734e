import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CaptureResults, ResultRow } from "@ikg/contracts";
import { capture } from "../src/capture.ts";
import { configs, createRecord, type ConfigRecord, deleteRecord, listRecords } from "../src/configs.ts";
import { createCredential } from "../src/create-credential.ts";
import { withKey } from "../src/data-plane.ts";
import { environment } from "../src/environment.ts";
import { evaluate, tryEvaluate } from "../src/evaluate.ts";
import { eventually } from "../src/eventually.ts";
import { execute, tryExecute } from "../src/execute.ts";
import { must } from "../src/must.ts";
import { requireRefusal, requireSound } from "../src/refusal.ts";
import { savePolicy } from "../src/save-policy.ts";
import { saveQuery } from "../src/save-query.ts";
import { searchResource, trySearchResource } from "../src/search-resource.ts";
import { type Answer, send } from "../src/send.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";
import { createTokenIssuer, type TokenIssuer } from "../src/token-issuer.ts";

/** A town with two libraries: readers belong to one, which keeps books at a fee. */
const readers = ["ida", "jon", "kim"];
const books = Array.from({ length: 7 }, (_, at) => ({
  id: `book-${at}`,
  fee: at,
  library: at < 5 ? "north" : "south",
}));
const memberOf: Readonly<Record<string, string>> = { ida: "north", jon: "south" };

let tenant: Tenant;
let issuer: TokenIssuer;

const reader = (external_id: string) => ({ type: "Reader", external_id });
const library = (external_id: string) => ({ type: "Library", external_id });
const book = (external_id: string) => ({ type: "Book", external_id });

const question = (subject: string, action: string, resource: string, context: object = {}) => ({
  subject: { type: "Reader", id: subject },
  action: { name: action },
  resource: { type: "Book", id: resource },
  context,
});
const kbac = (action: string, cypher: string, filter?: object, version = "2.0-kbac") => ({
  meta: { policy_version: version },
  subject: { type: "Reader" },
  actions: [action],
  resource: { type: "Book" },
  condition: { cypher, ...(filter === undefined ? {} : { filter }) },
});
const path = "MATCH (subject:Reader)-[:MEMBER_OF]->(:Library)-[:KEEPS]->(resource:Book)";
const save = (policy: object, tags?: readonly string[]) =>
  savePolicy(tenant.projectId, { policy, ...(tags === undefined ? {} : { tags }) });
const bearer = async (sub: string, claims: Readonly<Record<string, unknown>> = {}) => ({
  key: tenant.key,
  bearer: await issuer.sign(sub, claims),
});

beforeAll(async () => {
  tenant = await createTenant("life");
  issuer = await createTokenIssuer(tenant.projectId, {
    ikg_node_type: "Reader",
    claims_mapping: { level: { selector: "membership_level" } },
  });
  await capture(
    {
      nodes: [
        ...readers.map((id) => ({
          ...reader(id),
          is_identity: true,
          properties: [{ type: "name", value: id.toUpperCase() }],
        })),
        library("north"),
        library("south"),
        ...books.map(({ id, fee }) => ({ ...book(id), properties: [{ type: "fee", value: fee }] })),
      ],
      relationships: [
        ...Object.entries(memberOf).map(([id, at]) => ({
          source: reader(id),
          target: library(at),
          type: "MEMBER_OF",
        })),
        ...books.map(({ id, library: at }) => ({ source: library(at), target: book(id), type: "KEEPS" })),
      ],
    },
    tenant,
  );
}, 60_000);
afterAll(() => tenant?.remove());

/** Ids that evaluations grant, in the order of a search. */
const granted = async (subject: string, action: string, context: object, by = tenant): Promise<string[]> => {
  const decisions = await Promise.all(
    books.map(async ({ id }) => ({ id, ...(await evaluate(question(subject, action, id, context), by)) })),
  );
  return decisions.filter(({ decision }) => decision).map(({ id }) => id);
};
const found = async (subject: string, action: string, context: object, by = tenant): Promise<string[]> =>
  (await searchResource(question(subject, action, "ignored", context), by)).results.map(({ id }) => id);

describe("answers", () => {
  const asked = { json: question("ida", "READ", "book-0") };
  const id = { "X-Request-ID": "my request, no 1" };
  const key = () => ({ "X-SVC-ClientKey": tenant.key });
  const answers: readonly (readonly [number, () => Promise<Answer>])[] = [
    [200, () => send("/access/v1/evaluation", { ...asked, headers: { ...id, ...key() } })],
    [400, () => send("/access/v1/evaluation", { raw: "{", headers: { ...id, ...key() } })],
    [401, () => send("/access/v1/evaluation", { ...asked, headers: id })],
    [404, () => send("/nowhere", { headers: id })],
    [405, () => send("/access/v1/evaluation", { headers: id })],
    [422, () => configs("/projects", { json: {}, headers: id })],
  ];
  it.each(answers)("of status %i carry the request's id", async (status, ask) => {
    const answer = await ask();
    requireSound(answer);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toBe("my request, no 1");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it("to a request without an id carry a new one each", async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () =>
        (await withKey("/access/v1/evaluation", tenant, asked)).headers.get("x-request-id"),
      ),
    );
    expect(new Set(ids).size).toBe(3);
    for (const each of ids)
      expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });

  it("of the probes need no credential", async () => {
    for (const probe of ["/healthz", "/readyz"])
      expect(await send(probe)).toMatchObject({ status: 200, body: { status: expect.any(String) } });
  });
});

describe("records", () => {
  it("are made, read, listed and deleted in one shape", async () => {
    const made = await configs("/applications", {
      json: {
        project_id: tenant.projectId,
        name: "desk",
        display_name: "The desk",
        description: "",
        unknown: 1,
      },
    });
    const record = must<ConfigRecord>(made, 201);
    expect(record).toEqual({
      id: expect.stringMatching(/^gid:[A-Za-z0-9_-]{22,250}$/),
      name: "desk",
      display_name: "The desk",
      project_id: tenant.projectId,
      organization_id: environment().organization_id,
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      update_time: record["create_time"],
      created_by: expect.stringMatching(/^gid:/),
      updated_by: record["created_by"],
    });
    const etag = made.headers.get("etag");
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const name of [
      record.id,
      encodeURIComponent(record.id),
      `desk?project_id=${tenant.projectId}`,
      `desk?location=${tenant.projectId}`,
    ]) {
      const read = await configs(`/applications/${name}`);
      expect(read).toMatchObject({ status: 200, body: record });
      expect(read.headers.get("etag")).toBe(etag);
    }
    expect(await listRecords("applications", tenant.projectId)).toContainEqual(record);
    const stale = { method: "DELETE", headers: { "If-Match": '"other"' } };
    requireRefusal(await configs(`/applications/${record.id}`, stale), 412);
    const deleted = await configs(`/applications/${record.id}`, {
      method: "DELETE",
      headers: { "If-Match": etag ?? "" },
    });
    expect(deleted).toMatchObject({ status: 200, body: { id: record.id } });
    requireRefusal(await configs(`/applications/${record.id}`), 404);
    await createRecord("applications", { project_id: tenant.projectId, name: "desk" });
  });

  it("show a key once", async () => {
    const { id, key } = await createCredential(tenant.agentId);
    for (const each of [
      `/application-agent-credentials/${id}`,
      `/application-agent-credentials?project_id=${tenant.projectId}`,
    ]) {
      const answer = await configs(each);
      expect(answer.status).toBe(200);
      for (const part of [key, key.slice(21, 64), "application_agent_config", "hash"])
        expect(answer.text).not.toContain(part);
    }
    await deleteRecord("application-agent-credentials", id);
  });

  it("keep the text of a policy byte for byte, and leave it out of lists that do not ask for it", async () => {
    const text = `  ${JSON.stringify(kbac("KEPT", path), null, 3)}\n`;
    const id = await savePolicy(tenant.projectId, { policy: text });
    expect(await configs(`/authorization-policies/${id}`)).toMatchObject({ body: { policy: text } });
    const listed = await configs(`/authorization-policies?project_id=${tenant.projectId}&type=kbac`);
    expect((listed.body as { data: ConfigRecord[] }).data.find((each) => each.id === id)).toMatchObject({
      policy: "",
    });
    const full = await listRecords("authorization-policies", tenant.projectId);
    expect(full.find((each) => each.id === id)).toMatchObject({ policy: text });
    expect(
      (await configs(`/authorization-policies?project_id=${tenant.projectId}&type=ciq`)).text,
    ).not.toContain(id);
    await deleteRecord("authorization-policies", id);
  });
});

describe("capture", () => {
  const write = async (nodes: readonly unknown[], method = "POST"): Promise<readonly string[]> => {
    const answer = await withKey("/capture/v1/nodes", tenant, { method, json: { nodes } });
    return must<CaptureResults>(answer, 200).results.map(({ id }) => id);
  };
  const note = (...properties: readonly object[]) => ({ type: "Note", external_id: "n1", properties });
  let read: () => Promise<readonly ResultRow[]>;

  beforeAll(async () => {
    const nodes = [
      "n.external_id",
      "n.property.a",
      "n.property.b",
      "n.property.a.metadata.source",
      "n.property.a.metadata.stars",
    ];
    const policyId = await save({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (n:Note)" },
      allowed_reads: { nodes },
    });
    const id = await saveQuery(tenant.projectId, { policyId, query: { nodes } });
    read = () => execute({ id }, tenant);
  });

  it("upserts: the same id again, new values over old, the rest stays", async () => {
    const metadata = { source: "desk", custom_metadata: { stars: 5 } };
    const [first] = await write([note({ type: "a", value: 30, metadata }, { type: "b", value: "30" })]);
    const again = await write([
      note({ type: "a", value: 31 }),
      note({ type: "a", value: 32, metadata: { source: "shelf" } }),
    ]);
    expect(again).toEqual([first, first]);
    expect(await write([note()], "PUT")).toEqual([first]);
    expect(await read()).toEqual([
      {
        nodes: {
          "n.external_id": "n1",
          "n.property.a": 32,
          "n.property.b": "30",
          "n.property.a.metadata.source": "shelf",
          "n.property.a.metadata.stars": 5,
        },
      },
    ]);
  });

  it("makes one relationship of each triple, or of each discriminating value", async () => {
    const lend = (...properties: readonly object[]) => ({
      source: reader("ida"),
      target: book("book-0"),
      type: "LENT",
      properties,
    });
    const day = (value: string) => [
      { type: "day", value },
      { type: "discriminating_property", value: "day" },
    ];
    const relationships = [
      lend(),
      lend({ type: "x", value: 1 }),
      lend(...day("mon")),
      lend(...day("tue")),
      lend(...day("mon")),
    ];
    const answer = await withKey("/capture/v1/relationships", tenant, { json: { relationships } });
    const ids = must<CaptureResults>(answer, 200).results.map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[3], ids[2]]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^gid:/);
  });

  it("written by many at once makes each node and relationship once", async () => {
    const crowd = Array.from({ length: 40 }, (_, at) => ({ type: "Crowd", external_id: `c${at}` }));
    const pairs = crowd.map((source, at) => ({
      source,
      target: crowd[(at + 1) % 40] ?? source,
      type: "NEXT",
    }));
    const shuffled = <T>(items: readonly T[], by: number): readonly T[] =>
      items.map((_, at) => items[(at * by) % items.length] ?? items[0]).filter((item) => item !== undefined);
    const writers = [1, 3, 7, 9, 11, 13];
    const write = async (collection: string, items: readonly unknown[], by: number) => {
      const answer = await withKey(`/capture/v1/${collection}`, tenant, {
        json: { [collection]: shuffled(items, by) },
      });
      return must<CaptureResults>(answer, 200).results.map(({ id }) => id);
    };
    for (const [collection, items] of [
      ["nodes", crowd],
      ["relationships", pairs],
    ] as const) {
      const written = await Promise.all(writers.map((by) => write(collection, items, by)));
      expect(new Set(written.flat()).size).toBe(40);
    }
  });
});

describe("decisions", () => {
  const advice = { error: "too_expensive", error_description: "a lower fee is needed" };
  beforeAll(async () => {
    await save(kbac("BORROW", `${path} WHERE resource.property.fee <= $max_fee`));
    await save(
      kbac("RESERVE", path, {
        operator: "AND",
        operands: [
          {
            attribute: "$token.scope",
            operator: "CONTAINS",
            value: "book:reserve",
            advice: { error: "narrow_scope" },
          },
          { attribute: "$token.level", operator: ">=", value: 2, advice },
        ],
      }),
    );
  });

  it("follow the pattern, the parameter and the type of its value", async () => {
    for (const [subject, max_fee, wanted] of [
      ["ida", 2, ["book-0", "book-1", "book-2"]],
      ["ida", 99, ["book-0", "book-1", "book-2", "book-3", "book-4"]],
      ["ida", -1, []],
      ["ida", "2", []],
      ["jon", 5, ["book-5"]],
      ["kim", 99, []],
      ["nobody", 99, []],
    ] as const) {
      const context = { input_params: { max_fee } };
      expect(await granted(subject, "BORROW", context)).toEqual(wanted);
      expect(await found(subject, "BORROW", context)).toEqual(wanted);
    }
  });

  it("that are plain denials say nothing else", async () => {
    for (const asked of [
      question("kim", "BORROW", "book-0", { input_params: { max_fee: 9 } }),
      question("ida", "UNKNOWN", "book-0"),
      { ...question("ida", "BORROW", "book-0"), subject: { type: "Stranger", id: "ida" } },
      question("ida", "borrow", "book-0"),
    ])
      expect(await evaluate(asked, tenant)).toEqual({ decision: false });
  });

  it("read the claims of the token on every call", async () => {
    const asked = question("ida", "RESERVE", "book-0");
    const scope = "book:read book:reserve";
    expect(await evaluate(asked, await bearer("ida", { scope, membership_level: 2 }))).toEqual({
      decision: true,
    });
    expect(
      await found(
        "ida",
        "RESERVE",
        {},
        { ...tenant, ...(await bearer("ida", { scope, membership_level: 3 })) },
      ),
    ).toHaveLength(5);
    expect(await evaluate(asked, await bearer("ida", { scope, membership_level: 1 }))).toEqual({
      decision: false,
      context: { reason: expect.any(String), advice: [advice] },
    });
    const nothing = await evaluate(asked, await bearer("ida"));
    expect(nothing.context?.advice).toEqual([{ error: "narrow_scope" }, advice]);
    const withoutToken = await evaluate(asked, tenant);
    expect(withoutToken).toMatchObject({ decision: false, context: { reason: expect.any(String) } });
    expect(await found("ida", "RESERVE", {})).toEqual([]);
  });

  it("of one request are the same again and again", async () => {
    const asked = question("ida", "BORROW", "book-1", { input_params: { max_fee: 1 } });
    const decisions = await Promise.all(Array.from({ length: 20 }, () => evaluate(asked, tenant)));
    for (const each of decisions) expect(each).toEqual({ decision: true });
  });

  it("asked at the same time do not mix", async () => {
    const asked = books.flatMap(({ id, fee, library: at }) =>
      readers.flatMap((who) =>
        [0, 3, 6].map((max_fee) => ({ who, id, max_fee, wanted: memberOf[who] === at && fee <= max_fee })),
      ),
    );
    const decisions = await Promise.all(
      asked.map(({ who, id, max_fee }) =>
        evaluate(question(who, "BORROW", id, { input_params: { max_fee } }), tenant),
      ),
    );
    expect(decisions.map(({ decision }) => decision)).toEqual(asked.map(({ wanted }) => wanted));
  });

  it("grant when one candidate grants, though another lacks its parameter", async () => {
    await save(kbac("SEE", path));
    await save(kbac("SEE", `${path} WHERE resource.property.fee < $limit`));
    expect(await evaluate(question("ida", "SEE", "book-0"), tenant)).toEqual({ decision: true });
    const answer = await tryEvaluate(question("ida", "SEE", "book-6"), tenant);
    expect(requireRefusal(answer, 422)).toEqual(["missing or wrong input params, 'limit'"]);
  });

  it("take no notice of policies that are not ACTIVE", async () => {
    const policy = kbac("SLEEP", path);
    for (const status of ["INACTIVE", "DRAFT"] as const)
      await savePolicy(tenant.projectId, { policy, status });
    await save(kbac("WAKE", path));
    await eventually(
      () => evaluate(question("ida", "WAKE", "book-0"), tenant),
      ({ decision }) => decision,
    );
    expect(await evaluate(question("ida", "SLEEP", "book-0"), tenant)).toEqual({ decision: false });
  });

  it("consider the policies that carry one of the tags", async () => {
    await save(kbac("LIST", path), ["members"]);
    await save(kbac("LIST", "MATCH (subject:Reader), (resource:Book)"), ["everybody", "open"]);
    const ask = async (id: string, policy_tags?: readonly string[]) =>
      (await evaluate(question("ida", "LIST", id, { policy_tags }), tenant)).decision;
    expect(await ask("book-6")).toBe(true);
    expect(await ask("book-6", [])).toBe(true);
    expect(await ask("book-6", ["open"])).toBe(true);
    expect(await ask("book-6", ["members"])).toBe(false);
    expect(await ask("book-0", ["members", "other"])).toBe(true);
    expect(await ask("book-0", ["other"])).toBe(false);
    expect(await found("ida", "LIST", { policy_tags: ["members"] })).toHaveLength(5);
    expect(await found("ida", "LIST", { policy_tags: ["everybody"] })).toHaveLength(7);
  });

  it("read what the caller says about itself only where a policy names it", async () => {
    const soft = { attribute: "$request.action.properties.soft", operator: "=", value: true };
    await save(kbac("TOUCH", path, soft));
    const asked = question("ida", "TOUCH", "book-0");
    const withProperties = (properties: object) => ({ ...asked, action: { name: "TOUCH", properties } });
    expect(await evaluate(withProperties({ soft: true }), tenant)).toEqual({ decision: true });
    for (const properties of [{}, { soft: false }, { soft: "true" }, { hard: true }])
      expect((await evaluate(withProperties(properties), tenant)).decision).toBe(false);
    expect(
      (
        await evaluate(
          {
            ...asked,
            context: { input_params: { soft: true, request: { action: { properties: { soft: true } } } } },
          },
          tenant,
        )
      ).decision,
    ).toBe(false);

    const fee = "coalesce($request.resource.properties.fee, resource.property.fee)";
    await save(kbac("PAY", `${path} WHERE ${fee} = 1 AND $request.context.place = 'desk'`));
    const paying = (resource: string, properties: object, place: string) => ({
      ...question("ida", "PAY", resource, { place }),
      resource: { type: "Book", id: resource, properties },
    });
    expect((await evaluate(paying("book-1", {}, "desk"), tenant)).decision).toBe(true);
    expect((await evaluate(paying("book-1", { fee: 2 }, "desk"), tenant)).decision).toBe(false);
    expect((await evaluate(paying("book-2", { fee: 1 }, "desk"), tenant)).decision).toBe(true);
    expect((await evaluate(paying("book-1", {}, "door"), tenant)).decision).toBe(false);
  });
});

describe("somebody else's token", () => {
  const message = "bearer token subject differs from requested subject";
  beforeAll(async () => {
    await save(kbac("SECOND", path, undefined, "2.0-kbac"));
    await save(kbac("THIRD", path, undefined, "3.0-kbac"), ["strict"]);
  });

  it("supplies claims under 2.0-kbac", async () => {
    expect(await evaluate(question("ida", "SECOND", "book-0"), await bearer("jon"))).toEqual({
      decision: true,
    });
  });

  it("is 403 under 3.0-kbac, for decisions and searches, granted or not", async () => {
    const jon = await bearer("jon");
    for (const id of ["book-0", "book-6", "unknown"]) {
      const answer = await tryEvaluate(question("ida", "THIRD", id), jon);
      requireRefusal(answer, 403);
      expect(answer.body).toEqual({ message });
    }
    requireRefusal(await trySearchResource(question("ida", "THIRD", "x"), jon), 403);
    const ida = await bearer("ida");
    expect(await evaluate(question("ida", "THIRD", "book-0"), ida)).toEqual({ decision: true });
    expect(await found("ida", "THIRD", {}, { ...tenant, ...ida })).toHaveLength(5);
    expect(await evaluate(question("ida", "THIRD", "book-0"), tenant)).toEqual({ decision: true });
  });

  it("is no 403 where no 3.0-kbac policy is asked", async () => {
    const jon = await bearer("jon");
    expect(await evaluate(question("ida", "NOTHING", "book-0"), jon)).toEqual({ decision: false });
    // The tags leave the strict policy out, so it is no candidate (policies.md 6.2).
    const asked = question("ida", "THIRD", "book-0", { policy_tags: ["other"] });
    expect(await tryEvaluate(asked, jon)).toMatchObject({ status: 200, body: { decision: false } });
  });
});

describe("another claim as the subject", () => {
  it("is what decisions and queries compare, and the first one stays readable", async () => {
    const other = await createTokenIssuer(tenant.projectId, {
      ikg_node_type: "Reader",
      sub_claim: "reader_id",
    });
    const by = { key: tenant.key, bearer: await other.sign("account-1", { reader_id: "ida" }) };
    expect((await tryEvaluate(question("ida", "THIRD", "book-0"), by)).body).toEqual({ decision: true });
    requireRefusal(await tryEvaluate(question("account-1", "THIRD", "book-0"), by), 403);
    const account = { attribute: "$token.original_sub", operator: "=", value: "account-1" };
    await save(kbac("OPEN", path, account));
    expect(await evaluate(question("ida", "OPEN", "book-0"), by)).toEqual({ decision: true });
    const without = { key: tenant.key, bearer: await other.sign("ida") };
    requireRefusal(await tryEvaluate(question("ida", "OPEN", "book-0"), without), 401);
  });
});

describe("search pages", () => {
  const asked = (page?: object) => ({ ...question("ida", "ALL", "ignored"), page });
  beforeAll(() => save(kbac("ALL", "MATCH (subject:Reader), (resource:Book)")));

  it("of any size walk the same results", async () => {
    const { results: all, page: none } = await searchResource(asked(), tenant);
    expect(none).toBeUndefined();
    expect(all).toEqual(books.map(({ id }) => ({ type: "Book", id })));
    for (const limit of [1, 2, 3, 7, 8, 1_000, 5_000]) {
      const walked: object[] = [];
      let token: string | undefined;
      do {
        const { results, page } = await searchResource(asked({ limit, ...(token ? { token } : {}) }), tenant);
        expect(page?.count).toBe(results.length);
        expect(results.length).toBeLessThanOrEqual(limit);
        walked.push(...results);
        token = page?.next_token;
      } while (token);
      expect(walked).toEqual(all);
    }
  });

  it("have page as first member, and a total only where nothing else is asked for", async () => {
    const answer = await trySearchResource(asked({}), tenant);
    expect(answer.text).toMatch(/^\{"page":/);
    expect(answer.body).toMatchObject({ page: { next_token: "", count: 7 } });
    const counted = await searchResource(asked({ limit: 0 }), tenant);
    expect(counted).toEqual({
      page: { next_token: expect.stringMatching(/./), count: 0, total: 7 },
      results: [],
    });
  });

  it("belong to one question and one size", async () => {
    const { page } = await searchResource(asked({ limit: 2 }), tenant);
    const token = page?.next_token;
    expect((await searchResource(asked({ token }), tenant)).results.map(({ id }) => id)).toEqual([
      "book-2",
      "book-3",
    ]);
    const others = [
      asked({ token, limit: 3 }),
      { ...asked({ token, limit: 2 }), subject: { type: "Reader", id: "jon" } },
      { ...asked({ token, limit: 2 }), context: { input_params: { x: 1 } } },
      asked({ token: `${token}x`, limit: 2 }),
      asked({ token: token?.replace(/^./, (first) => (first === "A" ? "B" : "A")), limit: 2 }),
    ];
    for (const each of others) requireRefusal(await trySearchResource(each, tenant), 400);
    requireRefusal(await trySearchResource(asked({ token, limit: 2 }), await bearer("ida")), 400);
  });
});

describe("large searches", () => {
  /** Ids whose order differs between code points, UTF-16 and dictionaries. */
  const odd = ["Z", "a", "\uffee", "\u{1f600}", "é", "e\u0301", "10", "9", " ", "~"];
  const ids = [...Array.from({ length: 1_005 }, (_, at) => `leaf-${at}`), ...odd];
  const codePoints = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const byCodePoint = (left: string, right: string): number => {
    const [one, other] = [codePoints(left), codePoints(right)];
    const at = one.findIndex((point, index) => point !== other[index]);
    return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
  };
  const sorted = ids.toSorted(byCodePoint);
  const asked = (page?: object) => ({
    subject: { type: "Reader", id: "ida" },
    action: { name: "TURN" },
    resource: { type: "Leaf" },
    ...(page === undefined ? {} : { page }),
  });
  const turn = (cypher: string) => ({ ...kbac("TURN", cypher), resource: { type: "Leaf" } });

  beforeAll(async () => {
    const nodes = ids.map((external_id, at) => ({
      type: "Leaf",
      external_id,
      properties: [{ type: "side", value: at % 3 }],
    }));
    await capture({ nodes, relationships: [] }, tenant);
    // Two candidates that overlap: what either grants is found once.
    await save(turn("MATCH (subject:Reader), (resource:Leaf) WHERE resource.property.side < 2"));
    await save(turn("MATCH (subject:Reader), (resource:Leaf) WHERE resource.property.side > 0"));
  }, 30_000);

  it("give the first 1,000 in the order of code points, and say that there are more", async () => {
    const { results, page } = await searchResource(asked(), tenant);
    expect(results.map(({ id }) => id)).toEqual(sorted.slice(0, 1_000));
    expect(page).toMatchObject({ count: 1_000, next_token: expect.stringMatching(/./) });
    const rest = await searchResource(asked({ token: page?.next_token }), tenant);
    expect(rest.results.map(({ id }) => id)).toEqual(sorted.slice(1_000));
    expect(rest.page?.next_token).toBe("");
  });

  it("count what they find once", async () => {
    expect((await searchResource(asked({ limit: 0 }), tenant)).page?.total).toBe(ids.length);
  });

  it("go on in the same order in small pages", async () => {
    const tail = sorted.slice(-12);
    const walked: string[] = [];
    let { page } = await searchResource(asked({ limit: sorted.length - tail.length }), tenant);
    // The limit was cut to 1,000, which the token remembers.
    const rest = await searchResource(asked({ token: page?.next_token }), tenant);
    expect(rest.results.map(({ id }) => id)).toEqual(sorted.slice(1_000));
    ({ page } = await searchResource(asked({ limit: 250 }), tenant));
    for (let token = page?.next_token; token;) {
      const next = await searchResource(asked({ token }), tenant);
      walked.push(...next.results.map(({ id }) => id));
      token = next.page?.next_token;
    }
    expect(walked).toEqual(sorted.slice(250));
  });
});

describe("queries", () => {
  const ciq = (cypher: string, condition: object, reads: object, type = "Reader") => ({
    meta: { policy_version: "1.0-ciq" },
    subject: { type },
    condition: { cypher, ...condition },
    allowed_reads: reads,
  });
  const own = { attribute: "subject.external_id", operator: "=", value: "$token.sub" };
  const keeping = "MATCH (subject:Reader)-[m:MEMBER_OF]->(l:Library)-[:KEEPS]->(b:Book)";
  const saveReading = async (policy: object, query: object, name?: string): Promise<string> => {
    const policyId = await save(policy);
    return saveQuery(tenant.projectId, { policyId, query, ...(name === undefined ? {} : { name }) });
  };

  it("show a person what the policy lets her see", async () => {
    const reads = { nodes: ["b.*", "subject.property.name"], relationships: ["m"] };
    const cheap = { attribute: "b.property.fee", operator: "<=", value: "$max_fee" };
    const query = {
      nodes: ["subject.property.name", "b.external_id", "b.property.fee", "b.property.none"],
      relationships: ["m.type"],
      filter: cheap,
    };
    const id = await saveReading(ciq(keeping, { filter: [own] }, reads), query, "my-books");
    const row = (name: string, fee: number) => ({
      nodes: {
        "subject.property.name": name,
        "b.external_id": `book-${fee}`,
        "b.property.fee": fee,
        "b.property.none": null,
      },
      relationships: { "m.type": "MEMBER_OF" },
    });
    const ask = async (sub: string, max_fee: unknown) =>
      execute({ id: "my-books", input_params: { max_fee } }, await bearer(sub));
    expect(await ask("ida", 1)).toEqual([row("IDA", 0), row("IDA", 1)]);
    expect(await ask("jon", 5)).toEqual([row("JON", 5)]);
    expect(await ask("jon", 0)).toEqual([]);
    expect(await ask("jon", "9")).toEqual([]);
    expect(await ask("kim", 9)).toEqual([]);
    expect(await ask("nobody", 9)).toEqual([]);
    const missing = await tryExecute({ id }, await bearer("ida"));
    expect(requireRefusal(missing, 422)).toEqual(["missing or wrong input params, 'max_fee'"]);
    const anonymous = await tryExecute({ id, input_params: { max_fee: 1 } }, tenant);
    requireRefusal(anonymous, 401);
    expect(anonymous.headers.get("www-authenticate")).toMatch(/^Bearer( realm="[^"]+")?$/);
    expect(anonymous.body).toEqual({ message: "bearer token required" });
    requireRefusal(await tryExecute({ id: "nothing" }, tenant), 404);
    const broken = await tryExecute({ id, input_params: { max_fee: 1 } }, { key: tenant.key, bearer: "x" });
    requireRefusal(broken, 401);
  });

  it("pin a person that the policy does not name to the token's subject", async () => {
    const id = await saveReading(ciq(keeping, {}, { nodes: ["subject.external_id"] }), {
      nodes: ["subject.external_id"],
    });
    const rows = await execute({ id }, await bearer("jon"));
    expect(rows).toEqual([
      { nodes: { "subject.external_id": "jon" } },
      { nodes: { "subject.external_id": "jon" } },
    ]);
  });

  it("answer the application without a token, and judge one that is sent", async () => {
    const reads = { nodes: ["b.external_id"] };
    const id = await saveReading(
      ciq("MATCH (subject:_Application) MATCH (b:Book)", {}, reads, "_Application"),
      reads,
      "all-books",
    );
    expect(await execute({ id }, tenant)).toHaveLength(7);
    expect(await execute({ id }, await bearer("ida"))).toHaveLength(7);
    requireRefusal(await tryExecute({ id }, { key: tenant.key, bearer: "x" }), 401);
  });

  describe("pages", () => {
    const ids = async (page_size?: number, page_token?: number) => {
      const page = {
        ...(page_size === undefined ? {} : { page_size }),
        ...(page_token === undefined ? {} : { page_token }),
      };
      return (await execute({ id: "all-books", ...page }, tenant)).map(({ nodes }) => nodes["b.external_id"]);
    };
    const all = books.map(({ id }) => id);

    it("together are one large page, in one order", async () => {
      expect(await ids()).toEqual(all);
      for (let size = 1; size <= 8; size++) {
        const pages = await Promise.all(
          Array.from({ length: Math.ceil(all.length / size) + 1 }, (_, at) => ids(size, at * size)),
        );
        expect(pages.flat()).toEqual(all);
        expect(pages.at(-1)).toEqual([]);
        expect(pages.slice(0, -2).every((page) => page.length === size)).toBe(true);
      }
    });

    it("keep apart rows that look alike", async () => {
      const cypher =
        "MATCH (subject:_Application) MATCH (l:Library)-[:KEEPS]->(b:Book) OPTIONAL MATCH (l)<-[:MEMBER_OF]-(r:Reader) OPTIONAL MATCH (b)<-[t:LENT]-(r)";
      const policy = ciq(cypher, {}, { nodes: ["l.external_id"] }, "_Application");
      const id = await saveReading(policy, { nodes: ["l.external_id"] });
      const rows = await execute({ id }, tenant);
      expect(rows.length).toBeGreaterThan(books.length);
      for (const page_size of [1, 2, 5]) {
        const pages = await Promise.all(
          rows.map((_, at) => execute({ id, page_size, page_token: at * page_size }, tenant)),
        );
        expect(pages.flat()).toEqual(rows);
      }
    });

    it("begin at the row of their token; below 1, 0 and 1 are the first page", async () => {
      for (const token of [-5, -1, 0, 1]) expect(await ids(3, token)).toEqual(all.slice(0, 3));
      for (const token of [2, 3, 4, 6]) expect(await ids(3, token)).toEqual(all.slice(token, token + 3));
      expect(await ids(3, 7)).toEqual([]);
      // Pages of one row: 1 is the second of them.
      for (const token of [0, 1, 2]) expect(await ids(1, token)).toEqual([all[token]]);
    });

    it("without a usable size have 100 rows", async () => {
      for (const size of [0, -1]) expect(await ids(size, 0)).toEqual(all);
    });
  });

  it("ask for a fresh sign-in before anything else", async () => {
    const fresh = {
      operator: "AND",
      operands: [
        {
          attribute: "$token.auth_age",
          operator: "<=",
          value: 300,
          advice: { error: "insufficient_user_authentication", error_description: 'sign in "again"' },
        },
        { attribute: "$token.acr", operator: "=", value: "gold" },
      ],
    };
    const reads = { nodes: ["b.external_id"] };
    const filter = [own, { attribute: "b.property.fee", operator: "<=", value: "$max_fee" }];
    const id = await saveReading(ciq(keeping, { filter, token_filter: fresh }, reads), reads);
    const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
    const ask = async (claims: object, input_params: Readonly<Record<string, unknown>> = { max_fee: 0 }) =>
      tryExecute({ id, input_params }, await bearer("ida", { ...claims }));
    expect(await ask({ auth_time: ago(100), acr: "gold" })).toMatchObject({
      status: 200,
      body: { data: [{ nodes: { "b.external_id": "book-0" } }] },
    });
    for (const [claims, parameters] of [
      [{ auth_time: ago(400), acr: "gold" }, 'max_age="300"'],
      [{ acr: "gold" }, 'max_age="300"'],
      [{ auth_time: ago(100) }, 'acr_values="gold"'],
      [{}, 'max_age="300", acr_values="gold"'],
    ] as const) {
      // Parameters are looked at later: that one is missing too is not said.
      const answer = await ask(claims, {});
      requireRefusal(answer, 401);
      const header = answer.headers.get("www-authenticate") ?? "";
      expect(header).toMatch(
        /^Bearer error="insufficient_user_authentication", error_description="[^"\\]*(\\"[^"\\]*)*"/,
      );
      expect(header).toContain(parameters);
      expect(Object.keys(answer.body as object)).toEqual(["message"]);
    }
    requireRefusal(await ask({ auth_time: ago(100), acr: "gold" }, {}), 422);
    const anonymous = await tryExecute({ id, input_params: { max_fee: 0 } }, tenant);
    expect(anonymous.headers.get("www-authenticate")).toMatch(/^Bearer( realm="[^"]+")?$/);
  });

  it("count", async () => {
    const reads = { nodes: ["l.external_id"], aggregate_values: ["number"] };
    const cypher =
      "MATCH (subject:_Application) MATCH (l:Library)-[:KEEPS]->(b:Book) WITH subject, l, count(b) AS number";
    const id = await saveReading(ciq(cypher, {}, reads, "_Application"), reads);
    expect(await execute({ id }, tenant)).toEqual([
      { nodes: { "l.external_id": "north" }, aggregate_values: { number: 5 } },
      { nodes: { "l.external_id": "south" }, aggregate_values: { number: 2 } },
    ]);
  });

  it("show a whole node and a whole relationship without physical names", async () => {
    const reads = { nodes: ["l"], relationships: ["k"] };
    const cypher =
      "MATCH (subject:_Application) MATCH (l:Library {external_id: 'north'})-[k:KEEPS]->(:Book {external_id: 'book-0'})";
    const id = await saveReading(ciq(cypher, {}, reads, "_Application"), reads);
    const answer = await tryExecute({ id }, tenant);
    requireSound(answer);
    const [row] = must<{ data: ResultRow[] }>(answer, 200).data;
    const time = expect.stringMatching(/Z$/);
    expect(row?.nodes["l"]).toEqual({
      Id: expect.any(Number),
      ElementId: expect.any(String),
      Labels: ["Library"],
      Props: {
        external_id: "north",
        type: "Library",
        id: expect.stringMatching(/^gid:/),
        create_time: time,
        update_time: time,
        is_identity: false,
      },
    });
    expect(row?.relationships?.["k"]).toEqual({
      Id: expect.any(Number),
      ElementId: expect.any(String),
      StartId: expect.any(Number),
      StartElementId: expect.any(String),
      EndId: expect.any(Number),
      EndElementId: expect.any(String),
      Type: "KEEPS",
      Props: { create_time: time, update_time: time },
    });
  });

  it("show user properties that are named like fields of ours under their own paths alone", async () => {
    const source = { type: "Odd", external_id: "a" };
    const target = { type: "Odd", external_id: "b" };
    const properties = [
      { type: "type", value: "mine" },
      { type: "create_time", value: "never" },
    ];
    await capture(
      { nodes: [source, target], relationships: [{ source, target, type: "HAS", properties }] },
      tenant,
    );
    const reads = { relationships: ["r.type", "r.*"] };
    const id = await saveReading(
      ciq("MATCH (subject:_Application) MATCH (:Odd)-[r]->()", {}, reads, "_Application"),
      reads,
    );
    const [row] = await execute({ id }, tenant);
    expect(row?.relationships).toMatchObject({
      "r.type": "HAS",
      "r.create_time": expect.stringMatching(/Z$/),
    });
  });
});

describe("changes take effect within 2 s", () => {
  const decide =
    (action: string, by: { key: string; bearer?: string } = tenant) =>
    async () =>
      (await tryEvaluate(question("ida", action, "book-0"), by)).body;

  it("a new policy grants, a deleted one no longer", async () => {
    expect(await decide("LATER")()).toEqual({ decision: false });
    const id = await save(kbac("LATER", path));
    await eventually(decide("LATER"), (body) => JSON.stringify(body) === '{"decision":true}');
    await deleteRecord("authorization-policies", id);
    await eventually(decide("LATER"), (body) => JSON.stringify(body) === '{"decision":false}');
  });

  it("a new query runs, a deleted one is gone, and its policy is in use as long", async () => {
    const reads = { nodes: ["b.external_id"] };
    const policyId = await save({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (b:Book)" },
      allowed_reads: reads,
    });
    requireRefusal(await tryExecute({ id: "later" }, tenant), 404);
    const id = await saveQuery(tenant.projectId, { policyId, name: "later", query: reads });
    const run = async () => (await tryExecute({ id: "later" }, tenant)).status;
    await eventually(run, (status) => status === 200);
    requireRefusal(await configs(`/authorization-policies/${policyId}`, { method: "DELETE" }), 409);
    await deleteRecord("knowledge-queries", id);
    await eventually(run, (status) => status === 404);
    await deleteRecord("authorization-policies", policyId);
  });

  it("a new issuer is trusted, a deleted one no longer", async () => {
    const other = await createTokenIssuer(tenant.projectId);
    const by = { key: tenant.key, bearer: await other.sign("ida") };
    const ask = async () => (await tryEvaluate(question("ida", "READ", "book-0"), by)).status;
    await eventually(ask, (status) => status === 200);
    await deleteRecord("token-introspects", other.introspectId);
    await eventually(ask, (status) => status === 401);
  });

  it("a revoked key is refused, the agent's other key is not", async () => {
    const { id, key } = await createCredential(tenant.agentId);
    const ask = async () => (await tryEvaluate(question("ida", "READ", "book-0"), { key })).status;
    expect(await ask()).toBe(200);
    await deleteRecord("application-agent-credentials", id);
    await eventually(ask, (status) => status === 401);
    expect((await tryEvaluate(question("ida", "READ", "book-0"), tenant)).status).toBe(200);
  });

  it("a deleted project takes its keys, its data and its records along", async () => {
    const gone = await createTenant("short");
    await capture({ nodes: [reader("ida")], relationships: [] }, gone);
    await gone.remove();
    await eventually(
      async () => (await tryEvaluate(question("ida", "READ", "book-0"), gone)).status,
      (status) => status === 401,
    );
    for (const collection of ["applications", "authorization-policies", "application-agent-credentials"])
      requireRefusal(await configs(`/${collection}?project_id=${gone.projectId}`), 404);
    for (const [collection, id] of [
      ["projects", gone.projectId],
      ["applications", gone.applicationId],
      ["application-agents", gone.agentId],
    ])
      requireRefusal(await configs(`/${collection}/${id}`), 404);
  });

  it("captured data at once", async () => {
    await save(kbac("FRESH", "MATCH (subject:Reader)-[:HOLDS]->(resource:Book)"));
    for (const { id } of books) {
      const asked = question("kim", "FRESH", id);
      expect((await evaluate(asked, tenant)).decision).toBe(false);
      await capture(
        { nodes: [], relationships: [{ source: reader("kim"), target: book(id), type: "HOLDS" }] },
        tenant,
      );
      expect((await evaluate(asked, tenant)).decision).toBe(true);
      expect(await found("kim", "FRESH", {})).toContain(id);
    }
  });
});
