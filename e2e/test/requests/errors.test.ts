import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { type Body, make } from "../../src/configuration/collections.ts";
import { type Sample, samplesOf } from "../../src/configuration/samples.ts";
import { storePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import {
  account,
  parents,
  question,
  thing,
  nodes,
  relationships,
  evaluation,
  search,
  execute,
  withKey,
  post,
  starting,
  notFound,
  conflict,
  unprocessable,
  bodiesWith,
  unknownProject,
  useErrorProject,
  describeRows,
  type Case,
} from "../../src/fixtures/error-cases.ts";
import { freshName } from "../../src/fresh-name.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import type { Refusal } from "../../src/requests/envelope.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { type Answer, send } from "../../src/requests/send.ts";

/**
 * 404, 409, 412 and 422 of docs/errors.md through the gateway, with exactly their envelopes. 400, 405 and 413 are in
 * errors-requests, 401 and 403 in errors-credentials, those that need an upstream to be unavailable or slow (408, 428, 500, 502, 503, 504) in failures,
 * ids of another organization (404) in organizations.
 */

/** Requests for what the project does not have: method, path and what is absent. */
const absent: readonly (readonly [method: string, path: string, what: string])[] = [
  ["GET", "/data-schema/v1", "the permission ReadDataSchema"],
  ["POST", "/mcp/v1/gid:x", "an MCP endpoint"],
  ["GET", "/configs/v1/trust-score-profiles/gid:x/current_run", "a run of a profile"],
  ["POST", "/configs/v1/event-sinks", "an endpoint for event sinks"],
];

let samples: ReadonlyMap<string, Sample>;
/** Ids of one record of each collection below projects that has names, all of one name. */
const taken = freshName("taken");
const ids = new Map<string, string>();
let other: Tenant;
let unreachable: Tenant;
/** Id of an application that was deleted. */
let deletedId: string;

useErrorProject();
beforeAll(async () => {
  samples = new Map((await samplesOf(account, parents)).map((sample) => [sample.path, sample]));
  for (const [path, { hasName, body }] of samples)
    if (path !== "/projects" && hasName) ids.set(path, (await make(account, path, body(taken))).id);
  const { applications } = openAdmin(undefined, account);
  const gone = await applications.create({ project_id: parents.projectId, name: freshName("gone") });
  await applications.delete(gone.id);
  deletedId = gone.id;
  other = await createTenant("errors-other");
  unreachable = await createTenant("errors-unreachable", {
    db_connection: { url: "bolt://127.0.0.1:1", username: "nobody", password: "nothing" },
  });

  const condition = {
    cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car) WHERE resource.external_id = $id",
  };
  const meta = { policy_version: "2.0-kbac" };
  const kbac = { meta, subject: { type: "Person" }, actions: ["ASK"], resource: { type: "Car" }, condition };
  await storePolicy(parents.projectId, { policy: kbac });
  const reads = { nodes: ["c.external_id"] };
  const policyId = await storePolicy(parents.projectId, {
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
  await saveQuery(parents.projectId, { name: "with-parameter", policyId, query: reads });
}, 60_000);
afterAll(async () => {
  await other?.remove();
  await unreachable?.remove();
  await remove("/service-accounts");
});

const create = (path: string, changes: Body = {}, name = freshName("another")): Promise<Answer> =>
  configs(path, { json: { ...samples.get(path)?.body(name), ...changes } });
const put = (path: string, changes: Body): Promise<Answer> =>
  configs(`${path}/${ids.get(path)}`, {
    method: "PUT",
    json: { ...samples.get(path)?.change(), ...changes },
  });
const remove = (path: string, id = ids.get(path)): Promise<Answer> =>
  configs(`${path}/${id}`, { method: "DELETE" });

const stale: Refusal = { status: 412, message: "Precondition Failed", errors: [expect.any(String)] };

describeRows([
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
      ["an id", () => configs(`/applications/${parents.agentId}`), notFound()],
      ["a name", () => configs(`/applications/not-there?project_id=${parents.projectId}`), notFound()],
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
      () => configs(`/applications/${deletedId}`, { method, ...(method === "PUT" ? { json: {} } : {}) }),
      notFound(),
    ]),
  ],
  [
    "404: unknown version",
    [["2 of 1", () => configs(`/applications/${parents.applicationId}?version=2`), notFound()]],
  ],
  [
    "404: project without an active graph (data plane)",
    [
      ...["/capture/", "/access/", "/ciq/"].map((service): Case => [
        service,
        () => bodiesWith(unreachable.key, service),
        notFound(["project: the project has no active graph"]),
      ]),
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
        () => remove("/authorization-policies", parents.policyId),
        conflict(`id: used by knowledge query ${taken}`),
      ],
      [
        "agent, by an MCP server",
        () => remove("/application-agents", parents.agentId),
        conflict(`id: used by mcp server ${taken}`),
      ],
      [
        "introspect, by an MCP server",
        () => remove("/token-introspects", parents.introspectId),
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
        () => create("/applications", { project_id: parents.agentId }),
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
]);

describe("what the project does not have", () => {
  it.each(absent)("%s %s is refused in the envelope (%s)", async (method, path) => {
    const headers = path.startsWith("/configs") ? { Authorization: `Bearer ${account.token}` } : {};
    const answer = await withKey(path, { method, headers, ...(method === "POST" ? { json: {} } : {}) });
    requireRefusal(answer, 400, 401, 403, 404, 422);
  });
});
