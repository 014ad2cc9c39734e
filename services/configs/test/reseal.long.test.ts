import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { isCurrent, keyRing, open, seal } from "@ikg/secrets";
import { connectionPlace } from "../src/records/connection.ts";
import type { Progress } from "../src/reseal/progress.ts";
import { reseal } from "../src/reseal/reseal.ts";
import { resealNodes } from "../src/reseal/sealed-nodes.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

const [former, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const base64 = (key: Buffer): string => key.toString("base64");
const both = keyRing(current, [former]);

/** The deployment before the key was changed. */
let configs: ConfigsUnderTest;
let tenant: Tenant;
const later: ConfigsUnderTest[] = [];

beforeAll(async () => {
  configs = await startConfigs({ CONFIG_ENCRYPTION_KEY: base64(former) });
});
afterEach(async () => {
  for (const each of later.splice(0)) await each.close();
});
afterAll(() => configs.close());

/** The same deployment with other keys. */
const restarted = async (keys: Record<string, string>): Promise<Tenant> => {
  const started = await startConfigs({ ...configs.environment, CONFIG_ENCRYPTION_FORMER_KEYS: "", ...keys });
  later.push(started);
  return tenant.at(started.url);
};

const options = { timeoutMs: 80_000 };
const stored = async (): Promise<{ id: string; etag: string; sealed: string[] }[]> => {
  const rows = await configs.graph.shared.read(
    "MATCH (r:_Record|_RecordVersion) WHERE r.organization_id = $organization RETURN r.id AS id, r.etag AS etag, r.data AS data ORDER BY r.etag",
    { organization: tenant.organization },
    options,
  );
  return rows.flatMap((row) => {
    const data = JSON.parse(String(row["data"])) as Record<string, unknown>;
    const sealed = ["headers", "auth_params", "online_validation"].flatMap((name) => data[name] ?? []);
    return sealed.length === 0
      ? []
      : [{ id: String(row["id"]), etag: String(row["etag"]), sealed: sealed.map(String) }];
  });
};
const currentOnes = async (): Promise<number> =>
  (await stored()).filter(({ sealed }) => sealed.every((text) => isCurrent(both, text))).length;

const resolver = (value: string) => ({
  url: "https://api.example/",
  method: "GET",
  headers: { "X-Key": value },
  request_content_type: "JSON",
  response_content_type: "JSON",
  response_selector: ".",
});

/** Records of the collections that seal: four and a former state of each, besides the project. */
const fill = async (): Promise<{ resolvers: Made[]; all: Made[] }> => {
  tenant = await configs.tenant();
  const project = await tenant.project();
  const make = (path: string, body: object) =>
    tenant.make(path, { project_id: project.id, name: freshName(), ...body });
  const resolvers = [
    await make("/external-data-resolvers", resolver("one")),
    await make("/external-data-resolvers", resolver("two")),
  ];
  const signing = { provider: "CUSTOMER_AWS_KMS", key_resource: "a", kid: "b", auth_params: { c: "d" } };
  const introspect = {
    jwt_matcher: { issuer: "https://issuer.example", audience: "a" },
    online_validation: {
      introspection_endpoint: "https://issuer.example/x",
      client_id: "me",
      client_secret: "s",
    },
    ikg_node_type: "Person",
  };
  const [signed, introspected] = [
    await make("/audit-signings", signing),
    await make("/token-introspects", introspect),
  ];
  for (const [index, made] of resolvers.entries())
    await tenant.send("PUT", `/external-data-resolvers/${made.id}`, resolver(`new ${index}`));
  await tenant.send("PUT", `/audit-signings/${signed.id}`, signing);
  await tenant.send("PUT", `/token-introspects/${introspected.id}`, introspect);
  return { resolvers, all: [...resolvers, signed, introspected] };
};
const settings = () => ({ keys: both, batch: 3, organizationId: tenant.organization });

describe("sealing with another key", () => {
  it("turns every record and former state over, and nothing that a client sees", async () => {
    const { resolvers } = await fill();
    const before = await stored();
    expect([before.length, await currentOnes()]).toEqual([8, 0]);
    const read = (by: Tenant) =>
      Promise.all(
        resolvers.flatMap(({ id }) =>
          ["", "?version=1"].map(async (query) => {
            const { body, headers } = await by.send("GET", `/external-data-resolvers/${id}${query}`);
            return [body, headers.get("etag")];
          }),
        ),
      );
    const seen = await read(tenant);
    const progress: Progress[] = [];
    const done = await reseal(configs.graph.shared, {
      ...settings(),
      onBatch: (each) => progress.push(each),
    });
    expect(done).toEqual({ seen: 9, resealed: 8, missed: 0, stuck: [] });
    expect(progress.map((each) => each.seen)).toEqual([3, 5, 8, 9, 3, 5, 8, 9]);
    const after = await stored();
    expect(after.map(({ id, etag }) => [id, etag])).toEqual(before.map(({ id, etag }) => [id, etag]));
    expect(await currentOnes()).toBe(8);
    // The former key is gone for good.
    expect(await read(await restarted({ CONFIG_ENCRYPTION_KEY: base64(current) }))).toEqual(seen);
    expect(await reseal(configs.graph.shared, settings())).toEqual({ ...done, resealed: 0 });
    expect(await stored()).toEqual(after);
  });

  it("continues from where it was interrupted, and everything is readable in between", async () => {
    const { resolvers } = await fill();
    let batches = 0;
    const interrupted = reseal(configs.graph.shared, {
      ...settings(),
      onBatch: () => {
        batches += 1;
        if (batches === 2) throw new Error("power cut");
      },
    });
    await expect(interrupted).rejects.toThrow("power cut");
    expect(await currentOnes()).toBe(4);
    const by = await restarted({
      CONFIG_ENCRYPTION_KEY: base64(current),
      CONFIG_ENCRYPTION_FORMER_KEYS: base64(former),
    });
    for (const { id } of resolvers)
      for (const query of ["", "?version=1"])
        expect((await by.send("GET", `/external-data-resolvers/${id}${query}`)).status).toBe(200);
    expect(await reseal(configs.graph.shared, settings())).toEqual({
      seen: 9,
      resealed: 4,
      missed: 0,
      stuck: [],
    });
    expect(await currentOnes()).toBe(8);
  });

  it("loses no update of a running service", async () => {
    const { resolvers } = await fill();
    const by = await restarted({
      CONFIG_ENCRYPTION_KEY: base64(current),
      CONFIG_ENCRYPTION_FORMER_KEYS: base64(former),
    });
    const stop = new AbortController();
    const last = new Map<string, string>();
    const updating = Promise.all(
      resolvers.map(async ({ id }) => {
        for (let round = 0; !stop.signal.aborted; round++) {
          const { status } = await by.send(
            "PUT",
            `/external-data-resolvers/${id}`,
            resolver(`round ${round}`),
          );
          expect(status).toBe(200);
          last.set(id, `round ${round}`);
        }
      }),
    );
    for (let run = 0; run < 5; run++)
      expect(await reseal(configs.graph.shared, { ...settings(), batch: 1 })).toMatchObject({ stuck: [] });
    stop.abort();
    await updating;
    for (const { id } of resolvers)
      expect((await by.send("GET", `/external-data-resolvers/${id}`)).body["headers"]).toEqual({
        "X-Key": [last.get(id)],
      });
    expect(await reseal(configs.graph.shared, settings())).toMatchObject({ missed: 0, stuck: [] });
    expect(await currentOnes()).toBe((await stored()).length);
  });

  it("names what no key opens, and leaves it as it is", async () => {
    const { all } = await fill();
    const before = await stored();
    const done = await reseal(configs.graph.shared, { ...settings(), keys: keyRing(current) });
    expect(done).toMatchObject({ seen: 9, resealed: 0, missed: 0 });
    expect(new Set(done.stuck.map((line) => line.split(" ")[1]))).toEqual(new Set(all.map(({ id }) => id)));
    expect(done.stuck).toContain(`audit_signing ${all[2]?.id} auth_params`);
    expect(await stored()).toEqual(before);
  });
});

describe("the connection of a deleted project whose graph is still to be removed", () => {
  it("is sealed again, so that the removal does not need the former key", async () => {
    const id = newGid("project");
    const place = connectionPlace(id);
    const text = JSON.stringify({ url: "bolt://127.0.0.1:1", username: "neo4j", password: "secret" });
    await configs.graph.shared.write(
      (tx) =>
        tx.run("CREATE (:_GraphRemoval {project_id: $id, connection: $sealed})", {
          id,
          sealed: seal(keyRing(former), place, text),
        }),
      options,
    );
    const sealed = async (): Promise<string> => {
      const found = "MATCH (n:_GraphRemoval {project_id: $id}) RETURN n.connection AS connection";
      const [row] = await configs.graph.shared.read(found, { id }, options);
      return String(row?.["connection"]);
    };
    const { stuck } = await resealNodes(configs.graph.shared, keyRing(current));
    expect(stuck).toContain(`the database of the deleted project ${id}`);
    expect(isCurrent(both, await sealed())).toBe(false);
    expect((await resealNodes(configs.graph.shared, both)).resealed).toBeGreaterThan(0);
    expect(open(keyRing(current), place, await sealed())).toBe(text);
    await configs.graph.shared.write(
      (tx) => tx.run("MATCH (n:_GraphRemoval {project_id: $id}) DELETE n", { id }),
      options,
    );
  });
});

describe("the command", () => {
  const command = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "../src/reseal.ts")], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
    }).then(
      ({ stderr, stdout }) => ({ code: 0, stderr, stdout }),
      ({ code, stderr, stdout }: { code: number; stderr: string; stdout: string }) => ({
        code,
        stderr,
        stdout,
      }),
    );

  it("tells what it does, and by its exit code whether the former keys are still needed", async () => {
    await fill();
    const { NEO4J_URI = "", NEO4J_USERNAME = "", NEO4J_PASSWORD = "" } = configs.environment;
    const { code, stderr, stdout } = await command({
      NEO4J_URI,
      NEO4J_USERNAME,
      NEO4J_PASSWORD,
      CONFIG_ENCRYPTION_KEY: base64(current),
      CONFIG_ENCRYPTION_FORMER_KEYS: base64(former),
    });
    expect(await currentOnes()).toBe(8);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^reseal: \d+ looked at, \d+ re-encrypted$/m);
    // Other tests may have records here that were sealed by their own keys.
    const foreign = stderr.includes("reseal: no key opens ");
    expect(code).toBe(foreign ? 1 : 0);
    expect(stderr.includes("reseal: done, ")).toBe(!foreign);
    for (const key of [former, current]) expect(stderr).not.toContain(base64(key));
  });

  it("says in one line each what is missing or unavailable", async () => {
    expect(await command({ NEO4J_URI: "http://x" })).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^reseal: NEO4J_URI: .*\nreseal: NEO4J_PASSWORD: .*\nreseal: CONFIG_ENCRYPTION_KEY: .*\n$/,
      ),
    });
    const key = base64(randomBytes(32));
    const away = await command({
      NEO4J_URI: "bolt://127.0.0.1:1",
      NEO4J_PASSWORD: "secret-word",
      CONFIG_ENCRYPTION_KEY: key,
    });
    expect([away.code, away.stderr.split("\n").length]).toEqual([1, 2]);
    expect(away.stderr).not.toMatch(/secret-word|at \w+ \(/);
  });
});
