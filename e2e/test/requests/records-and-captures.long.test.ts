import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CaptureResults } from "@ikg/contracts";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { asAccount, type Account } from "../../src/requests/account.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs, type ConfigRecord, ownAccount } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { expectRefusal } from "../../src/requests/envelope.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { execute, executePage } from "../../src/requests/execute.ts";
import { findResources } from "../../src/requests/find-resources.ts";
import { must } from "../../src/requests/must.ts";
import { searchResource } from "../../src/requests/search-resource.ts";
import { type Answer, send } from "../../src/requests/send.ts";

/** Records, captures, decisions and queries in short; records, decisions and queries at length have files of their own. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant("records-and-captures");
});
afterAll(() => tenant?.remove());

describe("a credential", () => {
  /** The two collections: who owns one, what the 201 shows once, and a call that it opens. */
  interface Kind {
    readonly path: string;
    readonly shown: string;
    readonly owner: () => Promise<Readonly<Record<string, unknown>>>;
    readonly list: () => string;
    readonly use: (token: string) => Promise<Answer>;
    readonly refusal: { readonly message: string; readonly challenge: string };
  }
  const kinds: readonly Kind[] = [
    {
      path: "application-agent-credentials",
      shown: "application_agent_config",
      owner: async () => ({
        application_agent_id: (await createAgent(tenant.applicationId, ["ContXIQ"])).agentId,
      }),
      list: () => `project_id=${tenant.projectId}`,
      // Past the credential: there is no such query.
      use: (key) => withKey("/ciq/v1/execute", { key }, { json: { id: "not-there" } }),
      refusal: { message: "client key missing or not valid", challenge: "ClientKey" },
    },
    {
      path: "service-account-credentials",
      shown: "service_account_config",
      owner: () => Promise.resolve({ service_account_id: accountId }),
      list: () => `organization_id=${ownAccount().organizationId}`,
      use: (token) =>
        send("/configs/v1/projects/not-there", { headers: { Authorization: `Bearer ${token}` } }),
      refusal: { message: "service account token not valid", challenge: 'Bearer error="invalid_token"' },
    },
  ];
  let accountId: string;
  beforeAll(async () => {
    const organization_id = ownAccount().organizationId;
    const body = { organization_id, name: freshName("viewer"), role: "all_viewer" } as const;
    ({ id: accountId } = await openAdmin().serviceAccounts.create(body));
  });
  afterAll(() => openAdmin().serviceAccounts.delete(accountId));

  const issue = async ({ path, shown, owner }: Kind, more: object = {}) => {
    const made = must<ConfigRecord>(
      await configs(`/${path}`, { json: { ...(await owner()), ...more } }),
      201,
    );
    const config = made[shown] as { readonly token: string };
    return { id: made.id, config, token: config.token };
  };

  describe.each(kinds)("of $path", (kind) => {
    const { path, use, list, refusal } = kind;

    it("shows its configuration with 201 and never again", async () => {
      const { id, config, token } = await issue(kind);
      expect(config).toEqual({
        baseUrl: expect.stringMatching(/^http/),
        ...(path.startsWith("service")
          ? { serviceAccountId: accountId }
          : {
              appSpaceId: tenant.projectId,
              applicationId: tenant.applicationId,
              appAgentId: expect.stringMatching(/^gid:/),
            }),
        token: expect.stringMatching(/./),
      });
      expect((await use(token)).status).toBe(404);
      for (const read of [`/${path}/${id}`, `/${path}?${list()}`, `/${path}?${list()}&full_fetch=true`]) {
        const answer = await configs(read);
        expect(answer.text).toContain(id);
        // The secret part, without the prefix and the id that the record shows as `kid`.
        for (const secret of [token, token.split("_").slice(2).join("_"), kind.shown])
          expect(answer.text).not.toContain(secret);
      }
    });

    it("is 401 when unknown, revoked or expired", async () => {
      const at = Date.now() + 2_500;
      const expiring = await issue(kind, { expire_time: new Date(at).toISOString() });
      expect((await use(expiring.token)).status).toBe(404);
      const { id, token } = await issue(kind);
      expect((await use(token)).status).toBe(404);
      expectRefusal(await use(`${token}x`), { status: 401, ...refusal });
      must(await configs(`/${path}/${id}`, { method: "DELETE" }), 200);
      const revoked = await eventually(
        () => use(token),
        ({ status }) => status !== 404,
      );
      expectRefusal(revoked, { status: 401, ...refusal });
      await pause(Math.max(0, at - Date.now() + 20));
      expectRefusal(await use(expiring.token), { status: 401, ...refusal });
    });
  });

  it("without the permission, or of a viewer who writes, is 403", async () => {
    const { key } = await createAgent(tenant.applicationId, ["Capture"]);
    const answer = await withKey("/ciq/v1/execute", { key }, { json: { id: "x" } });
    expect(Object.keys(answer.body as object)).toEqual(["message"]);
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { message: expect.stringContaining("ContXIQ") },
    ]);
    const [, ofAccounts] = kinds;
    if (ofAccounts === undefined) throw new Error("two kinds expected");
    const viewer: Account = { ...ownAccount(), token: (await issue(ofAccounts)).token };
    expect((await asAccount(viewer, `/projects/${tenant.projectId}`)).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE"])
      expectRefusal(
        await asAccount(
          viewer,
          method === "POST" ? "/applications" : `/applications/${tenant.applicationId}`,
          {
            method,
            ...(method === "DELETE" ? {} : { json: {} }),
          },
        ),
        { status: 403, message: "the service account may only read" },
      );
  });
});

const leaves = Array.from({ length: 250 }, (_, n) => ({
  type: "Leaf",
  external_id: `leaf-${String(n).padStart(3, "0")}`,
  properties: [{ type: "n", value: n }],
}));
const subject = { type: "Reader", external_id: "ida" };
const write = (nodes: readonly unknown[]): Promise<Answer> =>
  withKey("/capture/v1/nodes", tenant, { json: { nodes } });
const ids = (answer: Answer): readonly string[] =>
  must<CaptureResults>(answer, 200).results.map(({ id }) => id);
/** A query of the application over `pattern`. */
const queryOf = async (pattern: string, nodes: readonly string[]): Promise<string> => {
  const policyId = await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: `MATCH (subject:_Application) MATCH ${pattern}` },
      allowed_reads: { nodes },
    },
  });
  return saveQuery(tenant.projectId, { policyId, query: { nodes } });
};

describe("the data plane:", () => {
  let all: string;
  let first: readonly string[];
  beforeAll(async () => {
    first = ids(await write(leaves));
    await write([subject]);
    all = await queryOf("(leaf:Leaf)", ["leaf.external_id", "leaf.property.n"]);
  });
  const page = async (page_size: number, page_token: number): Promise<unknown[]> =>
    (await executePage({ id: all, page_size, page_token }, tenant)).map(({ nodes }) => nodes);
  const state = () => page(1_000, 0);
  const expected = leaves.map(({ external_id }, n) => ({
    "leaf.external_id": external_id,
    "leaf.property.n": n,
  }));

  describe("capture", () => {
    const edge = (n: number) => ({
      source: subject,
      target: { type: "Leaf", external_id: leaves[n]?.external_id },
      type: "TURNS",
    });
    const link = (relationships: readonly unknown[]): Promise<Answer> =>
      withKey("/capture/v1/relationships", tenant, { json: { relationships } });

    it("takes 250 items, and neither 0 nor 251", async () => {
      expect(first).toHaveLength(250);
      expect(await state()).toEqual(expected);
      const more = { ...leaves[0], external_id: "leaf-more" };
      for (const [items, post, name] of [
        [[], write, "nodes"],
        [[...leaves, more], write, "nodes"],
        [[], link, "relationships"],
        [Array.from({ length: 251 }, (_, n) => edge(n % 250)), link, "relationships"],
      ] as const)
        expectRefusal(await post(items), {
          status: 400,
          message: "Bad Request",
          errors: [expect.stringMatching(new RegExp(`^${name}: `))],
        });
      expect(ids(await link(leaves.map((_, n) => edge(n))))).toHaveLength(250);
    });

    it("with one bad item of 250 leaves the graph as it was", async () => {
      const spoilt = leaves.map((leaf, n) => ({ ...leaf, properties: [{ type: "n", value: n + 1 }] }));
      const bad = { ...leaves[100], external_id: "" };
      expectRefusal(await write([...spoilt.slice(0, 249), bad]), {
        status: 400,
        message: "Bad Request",
        errors: [expect.stringMatching(/^nodes\[249\]\.external_id: /)],
      });
      const reserved = { ...leaves[100], type: "_Leaf" };
      expectRefusal(await write([...spoilt.slice(0, 249), reserved]), {
        status: 422,
        message: "Unprocessable Entity",
        errors: [expect.stringMatching(/^nodes\[249\]\.type: /)],
      });
      expect(await state()).toEqual(expected);
    });

    it("keeps 30 and its text apart, and takes one of value and external_value", async () => {
      const values = await queryOf("(note:Note)", ["note.external_id", "note.property.v"]);
      const note = (external_id: string, value: unknown) => ({
        type: "Note",
        external_id,
        properties: [{ type: "v", value }],
      });
      ids(await write([note("a", 30), note("b", "30"), note("c", 30.5)]));
      const rows = await execute({ id: values }, tenant);
      expect(rows.map(({ nodes }) => nodes["note.property.v"])).toEqual([30, "30", 30.5]);
      const both = {
        type: "Note",
        external_id: "d",
        properties: [{ type: "v", value: 1, external_value: "x" }],
      };
      expectRefusal(await write([both]), {
        status: 400,
        message: "Bad Request",
        errors: [expect.stringMatching(/^nodes\[0\]\.properties\[0\]/)],
      });
      expect(await execute({ id: values }, tenant)).toEqual(rows);
    });

    it("makes no second node and no second relationship", async () => {
      const turned = await queryOf("(reader:Reader)-[:TURNS]->(leaf:Leaf)", ["leaf.external_id"]);
      const edges = leaves.map((_, n) => edge(n));
      const linked = ids(await link(edges));
      expect(ids(await write(leaves))).toEqual(first);
      expect(ids(await link(edges))).toEqual(linked);
      expect(new Set([...first, ...linked]).size).toBe(500);
      expect(await state()).toEqual(expected);
      expect(await execute({ id: turned, page_size: 1_000 }, tenant)).toHaveLength(250);
    });
  });

  describe("search", () => {
    const question = (id: string) => ({
      subject: { type: "Reader", id: "ida" },
      action: { name: "TURN" },
      resource: { type: "Leaf", id },
    });
    const granted = leaves.slice(0, 12).map(({ external_id }) => external_id);
    beforeAll(async () => {
      const cypher = "MATCH (subject:Reader), (resource:Leaf) WHERE resource.property.n < 12";
      await savePolicy(tenant.projectId, {
        policy: {
          meta: { policy_version: "2.0-kbac" },
          subject: { type: "Reader" },
          actions: ["TURN"],
          resource: { type: "Leaf" },
          condition: { cypher },
        },
      });
    });

    it("finds exactly what evaluates true", async () => {
      const found = await findResources(question("ignored"), tenant);
      expect(found).toEqual(granted);
      const leafIds = leaves.slice(0, 40).map(({ external_id }) => external_id);
      const decisions = await inParallel(leafIds, (id) => evaluate(question(id), tenant));
      expect(leafIds.filter((_, at) => decisions[at]?.decision)).toEqual(found);
    });

    it("one by one walks the same results", async () => {
      const walked: string[] = [];
      let token: string | undefined;
      do {
        const request = { ...question("ignored"), page: { limit: 1, ...(token ? { token } : {}) } };
        const { results, page } = await searchResource(request, tenant);
        expect(results.length).toBeLessThanOrEqual(1);
        walked.push(...results.map(({ id }) => id));
        token = page?.next_token;
      } while (token && walked.length < 20);
      expect(walked).toEqual(granted);
    });
  });

  describe("queries", () => {
    it("begin with page 1 for the tokens -1, 0 and 1", async () => {
      for (const token of [-1, 0, 1]) expect(await page(100, token)).toEqual(expected.slice(0, 100));
    });

    it("give rows 101 to 200 for token 100 and size 100", async () => {
      expect(await page(100, 100)).toEqual(expected.slice(100, 200));
    });

    it("give in pages what they give at once", async () => {
      const pages = await inParallel([0, 100, 200, 300], (token) => page(100, token));
      expect(pages.flat()).toEqual(await state());
      expect(pages.map((each) => each.length)).toEqual([100, 100, 50, 0]);
    });
  });
});

describe("an audit signing", () => {
  const masked = { region: "", secret_access_key: "" };
  const secrets = { region: "hidden-region", secret_access_key: "hidden-key" };
  const customer = { provider: "CUSTOMER_AWS_KMS", key_resource: "arn:one", kid: "one" };
  const refusal = {
    status: 422,
    message: "Unprocessable Entity",
    errors: ["key_resource: required", "kid: required"],
  };

  it.each(["CUSTOMER_GCP_KMS", "CUSTOMER_AWS_KMS", "CUSTOMER_AZURE_KEY_VAULT"])(
    "of %s without both fields lists two errors",
    async (provider) => {
      const parents = { project_id: tenant.projectId, name: freshName("signing") };
      expectRefusal(await configs("/audit-signings", { json: { ...parents, provider } }), refusal);
      const { id } = await openAdmin().auditSignings.create({
        ...parents,
        provider: "PLATFORM_MANAGED",
      });
      const method = "PUT";
      expectRefusal(await configs(`/audit-signings/${id}`, { method, json: { provider } }), refusal);
      expect(await configs(`/audit-signings/${id}`)).toMatchObject({
        body: { provider: "PLATFORM_MANAGED" },
      });
      await openAdmin().auditSignings.delete(id);
    },
  );

  it("shows no secret when it is made, read, listed, updated, and in former versions", async () => {
    const name = freshName("signing");
    const json = { project_id: tenant.projectId, name, ...customer, auth_params: secrets };
    const created = await configs("/audit-signings", { json });
    const at = `/audit-signings/${must<ConfigRecord>(created, 201).id}`;
    const updated = await configs(at, { method: "PUT", json: { ...customer, auth_params: secrets } });
    const records = [
      created,
      updated,
      await configs(at),
      await configs(`${at}?version=1`),
      await configs(`${at}?version=2`),
      await configs(`/audit-signings/${name}?project_id=${tenant.projectId}`),
    ];
    for (const { body } of records) expect(body).toMatchObject({ auth_params: masked });
    const list = await configs(`/audit-signings?project_id=${tenant.projectId}&full_fetch=true`);
    expect(list.body).toMatchObject({ data: [{ name, auth_params: masked }] });
    for (const { text } of [...records, list]) expect(text).not.toContain("hidden-");
    // What a client read and sends back must not wipe the secret.
    const echoed = await configs(at, { method: "PUT", json: { ...customer, auth_params: masked } });
    expectRefusal(echoed, {
      status: 422,
      message: "Unprocessable Entity",
      errors: ["auth_params.region: 1-256 characters", "auth_params.secret_access_key: 1-256 characters"],
    });
  });
});
