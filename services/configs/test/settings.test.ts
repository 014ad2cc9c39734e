/** What settings of the service bound and require: one service has all of them. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { recordLabel, takeLock } from "@ikg/physical";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

const connections = 4;
let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: Made;

beforeAll(async () => {
  configs = await startConfigs({
    CONFIG_REQUIRE_IF_MATCH: "true",
    LIST_BYTES: "1500000",
    LIST_MEMORY_BYTES: "3000000",
    NEO4J_POOL_SIZE: String(connections),
  });
  tenant = await configs.tenant();
  project = await tenant.project();
});
afterAll(() => configs?.close());

describe("a list with the texts of records", () => {
  const draftBytes = 400_000;
  const draft = (into: Made) => ({
    project_id: into.id,
    name: freshName(),
    status: "DRAFT",
    policy: "x".repeat(draftBytes),
  });
  const list = (query: string) => tenant.send("GET", `/authorization-policies?${query}`);

  beforeAll(async () => {
    for (let count = 0; count < 3; count++) await tenant.make("/authorization-policies", draft(project));
  });

  it("is answered whole up to the limit, and is 422 beyond, with a way to go on", async () => {
    const full = await list(`project_id=${project.id}&full_fetch=true`);
    expect(full.status).toBe(200);
    const policies = (full.body["data"] as { policy: string }[]).map(({ policy }) => policy.length);
    expect(policies).toEqual([draftBytes, draftBytes, draftBytes]);
    const other = await tenant.project();
    await tenant.make("/authorization-policies", draft(other));
    const all = await list("full_fetch=true");
    expect([all.status, all.body.errors]).toEqual([
      422,
      [
        "list: more than 1500000 bytes (limit LIST_BYTES); name one project_id, narrow it by search, or leave full_fetch out and read single records",
      ],
    ]);
    expect((await list(`project_id=${other.id}&full_fetch=true`)).status).toBe(200);
    expect(((await list("")).body["data"] as unknown[]).length).toBe(4);
  });

  it("waits for the lists of its organization, and holds no memory once it was sent", async () => {
    const answers = await Promise.all(
      Array.from({ length: isLongRun() ? 6 : 3 }, () => list(`project_id=${project.id}&full_fetch=true`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await list(`project_id=${project.id}&full_fetch=true`)).status).toBe(200);
  });
});

describe("CONFIG_REQUIRE_IF_MATCH", () => {
  it("refuses a PUT or DELETE that names no state", async () => {
    const { id, etag } = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    const url = `/applications/${id}`;
    const body = { display_name: "Later" };
    const expected = {
      status: 428,
      body: { message: "Precondition Required", errors: ["If-Match: required"] },
    };
    expect(await tenant.send("PUT", url, body)).toMatchObject(expected);
    const done = await tenant.send("PUT", url, body, { "if-match": etag });
    expect(done.status).toBe(200);
    expect(await tenant.send("DELETE", url)).toMatchObject(expected);
    expect((await tenant.send("GET", url)).status).toBe(200);
    const current = { "if-match": done.headers.get("etag") ?? "" };
    expect((await tenant.send("DELETE", url, undefined, current)).status).toBe(200);
  });
});

describe("administrators of one organization", () => {
  /** Locks a record until it is released: what would change it, or add a part to it, waits and keeps its connection. */
  const hold = async ({ id }: Made) => {
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const held = configs.graph.shared.write(
      async (tx) => {
        await tx.run(`MATCH (r:${recordLabel} {id: $id}) ${takeLock("r")}`, { id });
        locked.resolve();
        await released.promise;
      },
      { timeoutMs: 60_000 },
    );
    await locked.promise;
    return async (): Promise<void> => {
      released.resolve();
      await held;
    };
  };

  it("never take all connections: those of another read and write meanwhile", async () => {
    const stranger = await configs.tenant();
    const theirs = await stranger.project();
    const release = await hold(theirs);
    const waiting = Array.from({ length: (isLongRun() ? 3 : 2) * connections }, () =>
      stranger.send("POST", "/applications", { project_id: theirs.id, name: freshName() }),
    );
    try {
      await wait(500);
      const ours = (async () => {
        const read = await tenant.send("GET", `/projects/${project.id}`);
        const list = await tenant.send("GET", `/applications?project_id=${project.id}`);
        const written = await tenant.send("POST", "/applications", {
          project_id: project.id,
          name: freshName(),
        });
        return [read, list, written].map(({ status }) => status);
      })();
      expect(await Promise.race([ours, wait(5_000, "not answered")])).toEqual([200, 200, 201]);
    } finally {
      await release();
    }
    // They waited for their turn, and none of them was lost.
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  }, 60_000);
});
