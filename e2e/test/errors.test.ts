import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { asAccount, type Account } from "../src/account.ts";
import { type Body, clearGround, type Ground, layGround, make } from "../src/collections.ts";
import { type Sample, samplesOf } from "../src/collections.ts";
import { configs, deleteRecord, ownAccount } from "../src/configs.ts";
import { createAgent } from "../src/create-agent.ts";
import { createCredential } from "../src/create-credential.ts";
import { type Refusal, expectRefusal } from "../src/envelope.ts";
import { eventually } from "../src/eventually.ts";
import { freshName } from "../src/fresh-name.ts";
import { inParallel } from "../src/in-parallel.ts";
import { requireRefusal } from "../src/refusal.ts";
import { savePolicy } from "../src/save-policy.ts";
import { saveQuery } from "../src/save-query.ts";
import { type Answer, send, type Sending } from "../src/send.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";
import { createTokenIssuer, type TokenIssuer } from "../src/token-issuer.ts";

/**
 * Every error code through the gateway, with exactly the envelope. Rows
 * of bearers (401) are in bearer-errors, those that need something to be away or slow (408, 428, 500, 502, 503, 504)
 * in failures, ids of another organization (404) in organizations.
 */

/**
 * Rows, or parts of rows, of endpoints that did not exist when this was written: method, path, what its tests have to
 * produce. Whoever builds one moves its rows up; until then it is a 404 like every unknown path.
 */
const later: readonly (readonly [method: string, path: string, row: string])[] = [
  ["GET", "/data-schema/v1", "403: ReadDataSchema"],
  ["POST", "/mcp/v1/gid:x", "401 and 503 of the MCP endpoint"],
  ["GET", "/configs/v1/trust-score-profiles/gid:x/current_run", "404 of a run that is not there"],
  ["POST", "/configs/v1/event-sinks", "409: second sink of a project"],
];

const question = {
  subject: { type: "Person", id: "ann" },
  action: { name: "READ" },
  resource: { type: "Car", id: "car" },
};
const thing = { type: "Thing", external_id: "t" };
const near = { source: thing, target: thing, type: "NEAR" };
const nodes = "/capture/v1/nodes";
const relationships = "/capture/v1/relationships";
const evaluation = "/access/v1/evaluation";
const search = "/access/v1/search/resource";
const execute = "/ciq/v1/execute";
/** One body that would pass, for each endpoint of the data plane. */
const dataPlane: readonly (readonly [path: string, body: Body, permission: string])[] = [
  [nodes, { nodes: [thing] }, "Capture"],
  ["/capture/v1/nodes/delete", { nodes: [thing] }, "Capture"],
  ["/capture/v1/nodes/properties/delete", { nodes: [{ ...thing, property_types: ["p"] }] }, "Capture"],
  [
    "/capture/v1/nodes/properties/metadata/delete",
    { nodes: [{ ...thing, property_type: "p", metadata_fields: ["source"] }] },
    "Capture",
  ],
  [relationships, { relationships: [near] }, "Capture"],
  ["/capture/v1/relationships/delete", { relationships: [near] }, "Capture"],
  [
    "/capture/v1/relationships/properties/delete",
    { relationships: [{ ...near, property_types: ["p"] }] },
    "Capture",
  ],
  [evaluation, question, "Authorization"],
  ["/access/v1/evaluations", question, "Authorization"],
  [search, question, "Authorization"],
  ["/access/v1/search/subject", question, "Authorization"],
  ["/access/v1/search/action", question, "Authorization"],
  [execute, { id: "of-nobody" }, "ContXIQ"],
];

let account: Account;
let ground: Ground;
let samples: ReadonlyMap<string, Sample>;
/** Ids of one record of each collection below projects, all of one name. */
const taken = freshName("taken");
const ids = new Map<string, string>();
let other: Tenant;
let unreachable: Tenant;
let viewer: Account;
let issuer: TokenIssuer;
let expired: { key: string; token: string; at: number };
let revoked: { key: string; token: string };

const accountToken = async (service_account_id: string, more: Body = {}) => {
  const { id, ...made } = await make(account, "/service-account-credentials", {
    service_account_id,
    ...more,
  });
  return { id, token: (made["service_account_config"] as { token: string }).token };
};

beforeAll(async () => {
  account = ownAccount();
  ground = await layGround(account, freshName("errors"));
  samples = new Map((await samplesOf(account, ground)).map((sample) => [sample.path, sample]));
  for (const [path, sample] of samples)
    if (path !== "/projects") ids.set(path, (await make(account, path, sample.body(taken))).id);
  other = await createTenant("errors-other");
  unreachable = await createTenant("errors-unreachable", {
    db_connection: { url: "bolt://127.0.0.1:1", username: "nobody", password: "nothing" },
  });
  viewer = { ...account, token: (await accountToken(ground.accountId)).token };
  issuer = await createTokenIssuer(ground.projectId);

  const at = Date.now() + 1_500;
  const expire_time = new Date(at).toISOString();
  const { key } = await createCredential(ground.agentId, expire_time);
  expired = { key, token: (await accountToken(ground.accountId, { expire_time })).token, at };
  const [lostKey, lostToken] = [await createCredential(ground.agentId), await accountToken(ground.accountId)];
  await deleteRecord("application-agent-credentials", lostKey.id);
  await deleteRecord("service-account-credentials", lostToken.id);
  revoked = { key: lostKey.key, token: lostToken.token };

  const condition = {
    cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car) WHERE resource.external_id = $id",
  };
  const meta = { policy_version: "2.0-kbac" };
  const kbac = { meta, subject: { type: "Person" }, actions: ["ASK"], resource: { type: "Car" }, condition };
  await savePolicy(ground.projectId, { policy: kbac });
  const strict = {
    ...kbac,
    meta: { policy_version: "3.0-kbac" },
    actions: ["STRICT"],
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  };
  await savePolicy(ground.projectId, { policy: strict });
  const reads = { nodes: ["c.external_id"] };
  const policyId = await savePolicy(ground.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: {
        cypher: "MATCH (subject:_Application) MATCH (c:Car)",
        filter: [{ attribute: "c.external_id", operator: "=", value: "$id" }],
      },
      allowed_reads: reads,
    },
  });
  await saveQuery(ground.projectId, { name: "with-parameter", policyId, query: reads });
}, 60_000);
afterAll(async () => {
  await other?.remove();
  await unreachable?.remove();
  await remove("/service-accounts");
  if (ground) await clearGround(account, ground);
});

const withKey = (path: string, sending: Sending, key = ground.key): Promise<Answer> =>
  send(path, { ...sending, headers: { "X-SVC-ClientKey": key, ...sending.headers } });
const post = (path: string, json: unknown, key?: string): Promise<Answer> => withKey(path, { json }, key);
const create = (path: string, changes: Body = {}, name = freshName("another")): Promise<Answer> =>
  configs(path, { json: { ...samples.get(path)?.body(name), ...changes } });
const put = (path: string, changes: Body): Promise<Answer> =>
  configs(`${path}/${ids.get(path)}`, {
    method: "PUT",
    json: { ...samples.get(path)?.change(), ...changes },
  });
const remove = (path: string, id = ids.get(path)): Promise<Answer> =>
  configs(`${path}/${id}`, { method: "DELETE" });
const sendBearer = (path: string, bearer: string | undefined, sending: Sending = {}): Promise<Answer> =>
  send(path, { ...sending, headers: bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` } });

type Details = readonly unknown[];
/** The JSON path that a detail begins with. */
const starting = (path: string): unknown =>
  expect.stringMatching(new RegExp(`^${path.replaceAll(/[[\].]/g, "\\$&")}`));

/** What is asked, of as many endpoints as the row means; the answer to each; and the refusal that each must be. */
type Case = readonly [name: string, ask: () => Promise<Answer> | Promise<Answer[]>, refusal: Refusal];

const bad = (errors?: Details): Refusal => ({
  status: 400,
  message: "Bad Request",
  ...(errors === undefined ? {} : { errors }),
});
const forbidden = (message: string): Refusal => ({ status: 403, message });
const notFound = (errors?: Details): Refusal => ({
  status: 404,
  message: "Not Found",
  ...(errors === undefined ? {} : { errors }),
});
const conflict = (...errors: Details): Refusal => ({ status: 409, message: "Conflict", errors });
const stale: Refusal = { status: 412, message: "Precondition Failed", errors: [expect.any(String)] };
const tooLarge: Refusal = { status: 413, message: "Content Too Large" };
const unprocessable = (...errors: Details): Refusal => ({
  status: 422,
  message: "Unprocessable Entity",
  errors,
});
const keyRefused: Refusal = {
  status: 401,
  message: "client key missing or not valid",
  challenge: "ClientKey",
};
const tokenRefused: Refusal = {
  status: 401,
  message: "service account token not valid",
  challenge: 'Bearer error="invalid_token"',
};

const onDataPlane = (sending: Sending, key?: string): Promise<Answer[]> =>
  inParallel(dataPlane, ([path]) => withKey(path, sending, key));
const bodiesWith = (key: string, service = "/"): Promise<Answer[]> =>
  inParallel(
    dataPlane.filter(([path]) => path.startsWith(service)),
    ([path, json]) => post(path, json, key),
  );
const untilExpired = (): Promise<void> => pause(Math.max(0, expired.at - Date.now() + 20));
const large = (mebibytes: number): Sending => ({ raw: `{"x":"${"x".repeat(mebibytes * 1024 * 1024)}"}` });

/** What docs/errors.md says in words, and the cases that it speaks of. */
const rows: readonly (readonly [row: string, cases: readonly Case[]])[] = [
  [
    "400: Body is not JSON or not an object",
    [
      ["text on the data plane", () => onDataPlane({ raw: "{" }), bad([expect.any(String)])],
      ["a list on the data plane", () => onDataPlane({ raw: "[]" }), bad([expect.any(String)])],
      ["text on /configs", () => configs("/projects", { raw: "no JSON" }), bad([expect.any(String)])],
      ["null on /configs", () => configs("/applications", { raw: "null" }), bad([expect.any(String)])],
      [
        "another content type",
        () => onDataPlane({ raw: "{}", headers: { "Content-Type": "text/plain" } }),
        bad([expect.any(String)]),
      ],
    ],
  ],
  [
    "400: query parameter missing or of the wrong form",
    [
      [
        "a name without its project",
        () => configs(`/applications/${taken}`),
        bad(["project_id: required to read by name"]),
      ],
      [
        "a project that is no gid",
        () => configs("/applications?project_id=x"),
        bad([starting("project_id: ")]),
      ],
      [
        "a version that is no integer",
        () => configs(`/applications/${ground.applicationId}?version=x`),
        bad([starting("version: ")]),
      ],
      [
        "a type of policies that there is not",
        () => configs("/authorization-policies?type=x"),
        bad([starting("type: ")]),
      ],
      [
        "two parents that differ",
        () => configs(`/applications/${taken}?project_id=${ground.projectId}&location=${other.projectId}`),
        bad([expect.any(String)]),
      ],
    ],
  ],
  [
    "400: On /capture, /access, /ciq also: schema violation (required field, type, length, batch size)",
    [
      ["a required field of capture", () => post(nodes, {}), bad([starting("nodes: ")])],
      [
        "a type of capture",
        () => post(nodes, { nodes: [{ ...thing, external_id: 5 }] }),
        bad([starting("nodes[0].external_id: ")]),
      ],
      [
        "a length of capture",
        () => post(nodes, { nodes: [{ ...thing, external_id: "x".repeat(257) }] }),
        bad([starting("nodes[0].external_id: ")]),
      ],
      ["a batch of none", () => post(nodes, { nodes: [] }), bad([starting("nodes: ")])],
      [
        "a batch of 251",
        () => post(nodes, { nodes: Array.from({ length: 251 }, () => thing) }),
        bad([starting("nodes: ")]),
      ],
      [
        "a batch of no relationships",
        () => post(relationships, { relationships: [] }),
        bad([starting("relationships: ")]),
      ],
      [
        "every fault of a body at once",
        () => post(nodes, { nodes: [{ external_id: "x" }, thing, { ...thing, type: "T" }] }),
        bad([starting("nodes[0].type: "), starting("nodes[2].type: ")]),
      ],
      [
        "a required field of access",
        () => post(evaluation, { ...question, subject: { type: "Person" } }),
        bad([starting("subject.id: ")]),
      ],
      ["a type of access", () => post(search, { ...question, action: 5 }), bad([starting("action: ")])],
      [
        "a length of access",
        () => post(evaluation, { ...question, subject: { type: "P".repeat(65), id: "x" } }),
        bad([starting("subject.type: ")]),
      ],
      ["a required field of ciq", () => post(execute, {}), bad([starting("id: ")])],
      [
        "a type of ciq",
        () => post(execute, { id: "with-parameter", input_params: 5 }),
        bad([starting("input_params: ")]),
      ],
      [
        "a page of ciq that is too large",
        () => post(execute, { id: "with-parameter", page_size: 1_001 }),
        bad([starting("page_size: ")]),
      ],
    ],
  ],
  [
    "401: /configs: no bearer",
    [
      [
        "a list",
        () => sendBearer("/configs/v1/projects", undefined),
        { status: 401, message: "service account token required", challenge: "Bearer" },
      ],
      [
        "an agent's key alone",
        () => withKey("/configs/v1/projects", {}),
        { status: 401, message: "service account token required", challenge: "Bearer" },
      ],
    ],
  ],
  [
    "401: /configs: unknown, revoked or expired token",
    [
      ["unknown", () => sendBearer("/configs/v1/projects", `${account.token}x`), tokenRefused],
      ["an agent's key", () => sendBearer("/configs/v1/projects", ground.key), tokenRefused],
      [
        "revoked",
        () =>
          eventually(
            () => sendBearer("/configs/v1/projects", revoked.token),
            ({ status }) => status !== 200,
          ),
        tokenRefused,
      ],
      [
        "expired",
        async () => {
          await untilExpired();
          return sendBearer("/configs/v1/projects", expired.token);
        },
        tokenRefused,
      ],
    ],
  ],
  [
    "401: Data plane: key missing, malformed, unknown, revoked, expired",
    [
      ["missing", () => inParallel(dataPlane, ([path, json]) => send(path, { json })), keyRefused],
      ["malformed", () => bodiesWith("x"), keyRefused],
      [
        "unknown",
        () => bodiesWith(`${ground.key.slice(0, -1)}${ground.key.endsWith("0") ? 1 : 0}`),
        keyRefused,
      ],
      ["a service account's token", () => bodiesWith(account.token), keyRefused],
      ["revoked", () => bodiesWith(revoked.key), keyRefused],
      [
        "expired",
        async () => {
          await untilExpired();
          return bodiesWith(expired.key);
        },
        keyRefused,
      ],
    ],
  ],
  [
    "403: 3.0-kbac with a bearer whose subject is not the requested one",
    [
      [
        "evaluation and search",
        async () => {
          const bearer = { headers: { Authorization: `Bearer ${await issuer.sign("bob")}` } };
          const json = { ...question, action: { name: "STRICT" } };
          return inParallel([evaluation, search], (path) => withKey(path, { ...bearer, json }));
        },
        forbidden("bearer token subject differs from requested subject"),
      ],
    ],
  ],
  [
    "403: missing api_permissions",
    dataPlane.map(([path, json, permission]) => [
      path,
      async () => {
        const others = (["Capture", "Authorization", "ContXIQ"] as const).filter(
          (name) => name !== permission,
        );
        return post(path, json, (await createAgent(ground.applicationId, others)).key);
      },
      { status: 403, message: expect.stringContaining(permission) as unknown as string },
    ]),
  ],
  [
    "403: viewer writes",
    (["POST", "PUT", "DELETE"] as const).map((method) => [
      method,
      () => {
        const path = method === "POST" ? "/applications" : `/applications/${ground.applicationId}`;
        return asAccount(viewer, path, { method, ...(method === "DELETE" ? {} : { json: {} }) });
      },
      forbidden("the service account may only read"),
    ]),
  ],
  [
    "404: Unknown path",
    [
      ["with a key", () => withKey("/capture/v2/nodes", { json: {} }), notFound()],
      ["without one", () => send("/nowhere"), notFound()],
      ["below /configs", () => configs("/nothings"), notFound()],
    ],
  ],
  [
    "404: id or name that does not exist or is outside the caller's project",
    [
      ["an id", () => configs(`/applications/${ground.agentId}`), notFound()],
      ["a name", () => configs(`/applications/not-there?project_id=${ground.projectId}`), notFound()],
      [
        "a name of another project",
        () => configs(`/applications/${taken}?project_id=${other.projectId}`),
        notFound(),
      ],
      [
        "a parent of a record",
        () => create("/applications", { project_id: unknownProject() }),
        notFound(["project_id: not found"]),
      ],
      ["a parent of a list", () => configs(`/applications?project_id=${unknownProject()}`), notFound()],
      ["a query", () => post(execute, { id: "not-there" }), notFound([expect.any(String)])],
      [
        "a query of another project, by name",
        () => post(execute, { id: "with-parameter" }, other.key),
        notFound([expect.any(String)]),
      ],
      [
        "a query of another project, by id",
        () => post(execute, { id: ids.get("/knowledge-queries") }, other.key),
        notFound([expect.any(String)]),
      ],
    ],
  ],
  [
    "404: deleted object",
    (["GET", "PUT", "DELETE"] as const).map((method) => [
      method,
      async () => {
        const { id } = await make(account, "/applications", {
          project_id: ground.projectId,
          name: freshName("gone"),
        });
        await deleteRecord("applications", id);
        return configs(`/applications/${id}`, { method, ...(method === "PUT" ? { json: {} } : {}) });
      },
      notFound(),
    ]),
  ],
  [
    "404: unknown version",
    [["2 of 1", () => configs(`/applications/${ground.applicationId}?version=2`), notFound()]],
  ],
  [
    "404: project without an active graph (data plane)",
    [
      ...["/capture/", "/access/", "/ciq/"].map((service): Case => [
        service,
        () => bodiesWith(unreachable.key, service),
        notFound(["project: no active graph"]),
      ]),
    ],
  ],
  [
    "405: Wrong method, Allow header",
    [
      [
        "on the data plane",
        () => withKey(evaluation, { method: "GET" }),
        { status: 405, message: "Method Not Allowed", allow: "POST" },
      ],
      [
        "on a collection",
        () => configs("/projects", { method: "PATCH", json: {} }),
        { status: 405, message: "Method Not Allowed", allow: "POST, GET, HEAD" },
      ],
      [
        "on a record, without a credential",
        () => send("/configs/v1/projects/x", { method: "PATCH" }),
        { status: 405, message: "Method Not Allowed", allow: "GET, HEAD, PUT, DELETE" },
      ],
    ],
  ],
  [
    "409: Name taken",
    [
      "/applications",
      "/application-agents",
      "/service-accounts",
      "/authorization-policies",
      "/external-data-resolvers",
      "/knowledge-queries",
      "/audit-signings",
    ].map((path) => [path, () => create(path, {}, taken), conflict("name: already in use")]),
  ],
  [
    "409: second single-per-project object",
    [
      ["MCP server", () => create("/mcp-servers"), conflict("project_id: the project has an MCP server")],
      [
        "profile of a node type",
        () => create("/trust-score-profiles"),
        conflict("node_classification: the project has a profile for this type"),
      ],
      [
        "introspect of an issuer and audience",
        () => create("/token-introspects"),
        conflict(starting("jwt_matcher: ")),
      ],
    ],
  ],
  [
    "409: object still referenced",
    [
      [
        "policy, by a query",
        () => remove("/authorization-policies", ground.policyId),
        conflict(`id: used by knowledge query ${taken}`),
      ],
      [
        "agent, by an MCP server",
        () => remove("/application-agents", ground.agentId),
        conflict(`id: used by mcp server ${taken}`),
      ],
      [
        "introspect, by an MCP server",
        () => remove("/token-introspects", ground.introspectId),
        conflict(`id: used by mcp server ${taken}`),
      ],
    ],
  ],
  [
    "412: If-Match given and not current; errors has one entry",
    (["PUT", "DELETE"] as const).map((method) => [
      method,
      () =>
        inParallel(["/applications", "/mcp-servers", "/audit-signings"], (path) =>
          configs(`${path}/${ids.get(path)}`, {
            method,
            headers: { "If-Match": '"stale"' },
            ...(method === "PUT" ? { json: samples.get(path)?.change() } : {}),
          }),
        ),
      stale,
    ]),
  ],
  [
    "413: Body too large",
    [
      ["2 MiB to a decision", () => withKey(evaluation, large(2)), tooLarge],
      ["2 MiB to a query", () => withKey(execute, large(2)), tooLarge],
      ["2 MiB to /configs", () => configs("/projects", large(2)), tooLarge],
      ["10 MiB to capture", () => withKey(nodes, large(10)), tooLarge],
    ],
  ],
  [
    "422: /configs: body parses but a field or combination is invalid",
    [
      [
        "a field",
        () => create("/applications", { display_name: "x" }),
        unprocessable("display_name: 2-254 characters"),
      ],
      [
        "a permission",
        () => create("/application-agents", { api_permissions: ["Nothing"] }),
        unprocessable(starting("api_permissions[0]: ")),
      ],
      [
        "a combination",
        () => create("/audit-signings", { provider: "CUSTOMER_GCP_KMS" }),
        unprocessable("key_resource: required", "kid: required"),
      ],
      [
        "a field that never changes",
        () => put("/applications", { name: "another-name" }),
        unprocessable(starting("name: ")),
      ],
      [
        "a policy",
        () => create("/authorization-policies", { policy: "{}" }),
        { ...unprocessable(), errors: expect.arrayContaining([starting("policy")]) as unknown as string[] },
      ],
      [
        "a parent of another kind",
        () => create("/applications", { project_id: ground.agentId }),
        unprocessable(starting("project_id: ")),
      ],
    ],
  ],
  [
    "422: /capture: unknown location, reserved type, missing relationship end",
    [
      [
        "unknown location",
        () => post(nodes, { nodes: [{ ...thing, location: "mars" }] }),
        unprocessable("nodes[0].location: unknown location"),
      ],
      [
        "reserved type",
        () => post(nodes, { nodes: [{ ...thing, type: "_Thing" }] }),
        unprocessable(starting("nodes[0].type: ")),
      ],
      [
        "missing relationship end",
        () => {
          const gone = { ...thing, external_id: "not-there" };
          return post(relationships, { relationships: [{ source: gone, target: gone, type: "NEAR" }] });
        },
        unprocessable(
          starting("relationships[0].source"),
          starting("relationships[0].target"),
          starting('on_missing: "skip" '),
        ),
      ],
    ],
  ],
  [
    "422: /access: a policy parameter is missing; /ciq: an input parameter",
    [
      [
        "evaluation and search",
        () =>
          inParallel([evaluation, search], (path) => post(path, { ...question, action: { name: "ASK" } })),
        unprocessable("missing or wrong input params, 'id'"),
      ],
      [
        "query",
        () => post(execute, { id: "with-parameter" }),
        unprocessable("missing or wrong input params, 'id'"),
      ],
    ],
  ],
];

/** A gid of the form of a project's that nobody has. */
const unknownProject = (): string =>
  `${ground.projectId.slice(0, -4)}${ground.projectId.endsWith("AAAA") ? "BAAA" : "AAAA"}`;

describe.each(rows)("%s", (_row, cases) => {
  it.each(cases)("%s", async (_name, ask, refusal) => {
    const asked = await ask();
    const answers = Array.isArray(asked) ? asked : [asked];
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expectRefusal(answer, refusal);
  });
});

describe("what is built later", () => {
  it.each(later)("%s %s is refused in the envelope (%s)", async (method, path) => {
    const headers = path.startsWith("/configs") ? { Authorization: `Bearer ${account.token}` } : {};
    const answer = await withKey(path, { method, headers, ...(method === "POST" ? { json: {} } : {}) });
    requireRefusal(answer, 400, 401, 403, 404, 422);
  });
});
