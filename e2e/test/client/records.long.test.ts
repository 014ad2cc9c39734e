import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin } from "@ikg/client";
import { collectionPaths } from "../../src/configuration/collections.ts";
import { createParents, type Parents, removeParents } from "../../src/configuration/parents.ts";
import { type Sample, samplesOf } from "../../src/configuration/samples.ts";
import { environment } from "../../src/environment.ts";
import { admin, failureOf, project } from "../../src/fixtures/client-project.ts";
import { freshName } from "../../src/fresh-name.ts";
import { long } from "../../src/long.ts";
import { ownAccount } from "../../src/requests/configs.ts";

describe("records", () => {
  /** Members of the administration, in the order of the collections. */
  const members = [
    "projects",
    "applications",
    "agents",
    "agentCredentials",
    "serviceAccounts",
    "serviceAccountCredentials",
    "roleBindings",
    "policies",
    "trustScoreProfiles",
    "resolvers",
    "introspects",
    "queries",
    "mcpServers",
    "auditSignings",
  ] as const;
  let parents: Parents;
  let samples: ReadonlyMap<string, Sample>;
  let ofParents: IkgAdmin;

  beforeAll(async () => {
    const account = ownAccount();
    parents = await createParents(account, freshName("client"));
    samples = new Map((await samplesOf(account, parents)).map((sample) => [sample.path, sample]));
    ofParents = new IkgAdmin({
      baseUrl: environment().base_url,
      token: account.token,
      project: parents.projectId,
    });
  });
  afterAll(() => removeParents(ownAccount(), parents));

  for (const [at, path] of collectionPaths.entries()) {
    const member = members[at];
    if (member === undefined) throw new Error(`no member for ${path}`);
    it(`of ${path} are created, read, updated, listed and deleted`, async () => {
      const sample = samples.get(path);
      if (sample === undefined) throw new Error(`no sample of ${path}`);
      // One of the same type for all collections: their fields are those of the samples.
      const collection = ofParents[member] as unknown as IkgAdmin["policies"];
      const name = freshName("of-client");
      const created = await collection.create(sample.body(name) as never);
      try {
        const { record, etag } = await collection.read(created.id);
        expect(record.id).toBe(created.id);
        expect(etag).toMatch(/"/);
        if (sample.hasName) expect((await collection.get(name)).id).toBe(created.id);
        // A role binding has no name to be found by.
        const search = path === "/role-bindings" ? undefined : name;
        const listed = (await collection.list({ search })).map(({ id }) => id);
        if (search === undefined) expect(listed).toContain(created.id);
        else expect(listed).toEqual([created.id]);
        if (sample.hasName) {
          const updated = await collection.update(created.id, (each) => ({ ...each, ...sample.change() }));
          expect(updated).toMatchObject({ id: created.id });
          expect((await failureOf(collection.delete(created.id, { ifMatch: etag }))).code).toBe(
            "precondition_failed",
          );
        }
      } finally {
        await collection.delete(created.id);
      }
      expect((await failureOf(collection.get(created.id))).code).toBe("not_found");
    });
  }

  it("find the only project, or ask for one", async () => {
    const admin = new IkgAdmin({ baseUrl: project.baseUrl, token: environment().service_account_token });
    const error = await failureOf(admin.policies.list());
    expect(error.message).toContain("project");
    expect((await admin.policies.list({ project: project.name })).map(({ name }) => name)).toContain(
      "may-read",
    );
  });
});

describe("an update", () => {
  it(
    "loses nothing while two editors race",
    async () => {
      const updates = long(50, 1_000);
      const { base_url: baseUrl, service_account_token: token } = environment();
      const editors = [1, 2].map(() => new IkgAdmin({ baseUrl, token, project: project.id }));
      await admin.policies.create({ name: "counted", status: "DRAFT", policy: '{"count":0}' });
      await Promise.all(
        editors.map(async (editor) => {
          for (let at = 0; at < updates / 2; at++)
            await editor.policies.update(
              "counted",
              (policy) => ({
                ...policy,
                policy: { count: (JSON.parse(policy.policy) as { count: number }).count + 1 },
              }),
              { timeoutMs: 60_000 },
            );
        }),
      );
      expect((await admin.policies.get("counted")).policy).toBe(JSON.stringify({ count: updates }));
    },
    long(90_000, 900_000),
  );
});
