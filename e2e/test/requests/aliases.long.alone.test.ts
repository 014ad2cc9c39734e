import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ResultRow } from "@ikg/contracts";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import { must } from "../../src/requests/must.ts";
import { type Answer, send } from "../../src/requests/send.ts";
import { type Process, startBeside } from "../../src/suites/start-beside.ts";

/** COMPAT_ALIASES, through a gateway, a configs and a ciq of their own beside the suite's. */
const count = 250;

let tenant: Tenant;
let base: string;
let query: string;
let wide: string;
const processes: Process[] = [];

const started = async (...[name, settings]: Parameters<typeof startBeside>): Promise<string> => {
  const process = await startBeside(name, settings);
  processes.push(process);
  return `http://127.0.0.1:${process.port}`;
};

beforeAll(async () => {
  const [ownConfigs, ciq] = await Promise.all([
    started("configs", { COMPAT_ALIASES: "true" }),
    started("ciq", {}),
  ]);
  base = await started("gateway", {
    COMPAT_ALIASES: "true",
    UPSTREAM_CONFIGS: ownConfigs,
    UPSTREAM_CIQ: ciq,
    // No process listens there.
    UPSTREAM_ACCESS: "http://127.0.0.1:1",
    UPSTREAM_CAPTURE: "http://127.0.0.1:1",
  });
  tenant = await createTenant("aliases");
  const { projectId } = tenant;
  await capture(
    {
      nodes: Array.from({ length: count }, (_, at) => ({
        type: "Thing",
        external_id: `t${String(at).padStart(3, "0")}`,
        properties: [{ type: "text", value: "x".repeat(1_000) }],
      })),
      relationships: [],
    },
    tenant,
  );
  const paths = ["thing.external_id", "thing.property.text"];
  const policyId = await savePolicy(projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (thing:Thing)" },
      allowed_reads: { nodes: paths },
    },
  });
  query = await saveQuery(projectId, { policyId, query: { nodes: paths.slice(0, 1) } });
  wide = await saveQuery(projectId, { policyId, query: { nodes: paths } });
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await tenant?.remove();
});

const execute = (json: object, path = "/contx-iq/v1/execute"): Promise<Answer> =>
  send(path, { base, json, headers: { "X-IK-ClientKey": tenant.key } });

/** As clients fetch everything that count pages: until one has fewer rows than they asked for. */
const fetchAll = async (id: string, pageSize: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let page = 1; page <= count; page++) {
    const answer = must<{ data: ResultRow[]; next_page_token?: number }>(
      await execute({ id, page_size: pageSize, page_token: page }),
      200,
    );
    expect(answer).not.toHaveProperty("next_page_token");
    ids.push(...answer.data.map(({ nodes }) => String(nodes["thing.external_id"])));
    if (answer.data.length < pageSize) break;
  }
  return ids;
};

describe("/contx-iq/v1/execute", () => {
  it.each([100, 250, 1_000, 7])("counts pages: all rows by %d are each row once", async (pageSize) => {
    const ids = await fetchAll(query, pageSize);
    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
  });

  it("has page 1 for 0, for less, and for none", async () => {
    const first = (await execute({ id: query, page_size: 3, page_token: 1 })).body;
    for (const page of [{ page_token: 0 }, { page_token: -4 }, {}, { page_token: null }])
      expect((await execute({ id: query, page_size: 3, ...page })).body).toEqual(first);
    const one = async (page: number) => (await execute({ id: query, page_size: 1, page_token: page })).body;
    expect(await one(1)).not.toEqual(await one(2));
    const far = await execute({ id: query, page_token: Number.MAX_SAFE_INTEGER });
    expect([far.status, far.body]).toEqual([200, { data: [] }]);
  });

  it("ends no page early: one that would be too large is refused, and nothing is left out unseen", async () => {
    const large = { page_bytes: 50_000, page_size: 100, page_token: 1 };
    const refused = await execute({ id: wide, ...large });
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        message: "Unprocessable Entity",
        errors: [
          expect.stringMatching(
            /^page_size: 100 rows .*limit page_bytes, 50000\); \d\d fit\..*smaller page_size$/,
          ),
        ],
      },
    ]);
    const fits = await execute({ id: wide, ...large, page_size: 20 });
    expect((fits.body as { data: unknown[] }).data).toHaveLength(20);
  });

  it("leaves the product's own path as it is", async () => {
    const own = await execute({ id: query, page_size: 100, page_token: 2 }, "/ciq/v1/execute");
    const { data } = must<{ data: ResultRow[] }>(own, 200);
    expect(data[0]?.nodes["thing.external_id"]).toBe("t002");
    const early = await execute({ id: wide, page_size: 100, page_bytes: 50_000 }, "/ciq/v1/execute");
    expect(early.body).toHaveProperty("next_page_token");
    const forged = await send("/ciq/v1/execute", {
      base,
      json: { id: query, page_size: 100, page_token: 2 },
      headers: { "X-SVC-ClientKey": tenant.key, "X-Internal-Alias": "execute" },
    });
    expect(forged.body).toEqual(own.body);
  });
});

describe("collections that there are not", () => {
  const paths = ["/event-sinks", "/entity-matching-pipelines"];

  it.each(paths)("%s is an empty list, to callers who may list", async (path) => {
    const listed = await configs(`${path}?project_id=${tenant.projectId}`, { base });
    expect([listed.status, listed.body]).toEqual([200, { data: [] }]);
    expect((await send(`/configs/v1${path}`, { base })).status).toBe(401);
    const withKey = await send(`/configs/v1${path}`, { base, headers: { "X-SVC-ClientKey": tenant.key } });
    expect(withKey.status).toBe(401);
    expect((await configs(path, { base, json: {} })).status).toBe(405);
    expect((await configs(`${path}/gid:x`, { base })).status).toBe(404);
  });

  it.each(paths)("%s is unknown where no alias is accepted", async (path) => {
    expect((await configs(path)).status).toBe(404);
  });
});

describe("a PUT of a policy without tags", () => {
  it("removes them, and keeps them where no alias is accepted", async () => {
    const policy = JSON.stringify(ownersMay("OPEN").policy);
    const body = { policy, status: "ACTIVE" } as const;
    const { id } = await openAdmin().policies.create({
      ...body,
      project_id: tenant.projectId,
      name: freshName("tagged"),
      tags: ["a"],
    });
    const put = async (at: string | undefined) => {
      const sending = { method: "PUT", json: body, ...(at === undefined ? {} : { base: at }) };
      return must<{ tags: string[] }>(await configs(`/authorization-policies/${id}`, sending), 200).tags;
    };
    expect(await put(undefined)).toEqual(["a"]);
    expect(await put(base)).toEqual([]);
  });
});
