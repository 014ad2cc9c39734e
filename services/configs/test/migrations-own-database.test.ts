import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph, schemaVersions } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import { graphSettings } from "@ikg/service";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { startServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";
import { migrations } from "../src/migrations/all.ts";
import type { Migration } from "../src/migrations/migration.ts";
import { openOwnDatabaseMigrations } from "../src/migrations/own-databases.ts";
import { ConfigsSettings } from "../src/settings.ts";
import { configs, connection, create, inSecond, proxy, read, useSecondDatabase } from "./second-database.ts";

useSecondDatabase();

const claimOf = async (): Promise<Readonly<Record<string, unknown>>> => {
  const [row] = await inSecond("MATCH (c:_Claim {key: 'database'}) RETURN properties(c) AS claim");
  return row?.["claim"] as Readonly<Record<string, unknown>>; // properties of a node
};
const constraints = async (): Promise<readonly unknown[]> =>
  (await inSecond("SHOW CONSTRAINTS YIELD name RETURN name")).map((row) => row["name"]);

const until = (holds: () => Promise<boolean>): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 30_000, everyMs: 100 });

/** Makes the database what a build that versioned nothing has left. */
const makeUnversioned = async (): Promise<void> => {
  await inSecond("MATCH (c:_Claim) REMOVE c.schema_version, c.schema_readable_from");
  await inSecond("DROP CONSTRAINT ig_project_names IF EXISTS");
  await inSecond("MATCH (g:_ProjectNames) DELETE g");
  await inSecond(
    "CREATE (n:_Node:_P:Car {_key: '/Car/one', id: 'gid:own-migrated', type: 'Car', external_id: 'one', colour: 'red'})",
  );
};

const ownSchemaAgeMs = 300;
/** Leads data that is older than what services understand to what they do. */
const former: Migration = { version: 0, name: "former", readableFrom: -1, shared: [], own: [] };

/** Migrations of this process, with its graph and a clock that the test sets. */
const openMigrations = () => {
  const settings = ConfigsSettings.parse(configs.environment);
  const graph = connectGraph({ ...graphSettings(settings), ownSchemaAgeMs }, {}, (host) =>
    Promise.resolve(host),
  );
  const clock = { now: 0 };
  /** Projects and reasons of the lines of the log. */
  const failures: (readonly [project: unknown, reason: string])[] = [];
  const own = openOwnDatabaseMigrations(
    keyRing(settings.CONFIG_ENCRYPTION_KEY, []),
    schemaVersions.newest,
    () => clock.now,
  );
  const running = {
    graph,
    log: {
      info: () => undefined,
      warn: (_message: string, { project, error }: Record<string, unknown> = {}) =>
        failures.push([project, String(error)]),
    },
    metrics: { batch: () => undefined, failed: () => undefined, behind: () => undefined },
    epoch: Date.now(),
    batch: 10,
    pacePercent: 100,
    now: Date.now,
    signal: new AbortController().signal,
  };
  return { graph, clock, failures, migrate: (list = migrations) => own.migrate(running, list) };
};

const countOf = (graph: Graph, id: string) =>
  graph
    .of({ id, pk: "", connection: connection() })
    .read("MATCH (n:Car) RETURN count(n) AS count", {}, { timeoutMs: 30_000 });

const startMigrating = () =>
  startServiceProcess("configs", { ...configs.environment, LOG_LEVEL: "info", MIGRATION_DELAY_SECONDS: "0" });

describe("migrations of databases that projects bring", () => {
  it("a database is taken with the newest version, and an older one gets its constraints and its names", async () => {
    const { id } = await create(connection());
    await until(async () => (await read(id))["ikg_status"] === "ACTIVE");
    expect((await claimOf())["schema_version"]).toBe(1);
    await makeUnversioned();
    expect(await constraints()).not.toContain("ig_project_names");
    const process = await startMigrating();
    try {
      await until(async () => (await claimOf())["schema_version"] === 1);
    } finally {
      await process.running.end();
    }
    expect(await constraints()).toContain("ig_project_names");
    const [names] = await inSecond(
      "MATCH (g:_ProjectNames) RETURN g.key AS key, g.node_types AS types, g.property_names AS properties, g.count_time IS NOT NULL AS isComplete",
    );
    expect(names).toEqual({ key: `${id}/names`, types: ["Car"], properties: ["colour"], isComplete: true });
    expect(Object.keys(await claimOf())).not.toContain("migration_step");
  }, 120_000);

  it("one that services refuse for its version is reached all the same, and is served afterwards", async () => {
    const { id } = await create(connection());
    await until(async () => (await read(id))["ikg_status"] === "ACTIVE");
    await makeUnversioned();
    await inSecond("MATCH (c:_Claim) SET c.schema_version = -1, c.schema_readable_from = -1");
    const { graph, migrate } = openMigrations();
    try {
      await expect(countOf(graph, id)).rejects.toMatchObject({ code: "unavailable", status: 503 });
      await migrate([former, ...migrations]);
      expect((await claimOf())["schema_version"]).toBe(1);
      expect(await constraints()).toContain("ig_project_names");
      await wait(ownSchemaAgeMs);
      expect(await countOf(graph, id)).toEqual([{ count: 1 }]);
    } finally {
      await graph.close();
    }
  }, 120_000);

  it("one that is restored from an older backup is migrated when it is looked at again", async () => {
    const { id } = await create(connection());
    await until(async () => (await read(id))["ikg_status"] === "ACTIVE");
    const { graph, clock, failures, migrate } = openMigrations();
    try {
      await migrate();
      await makeUnversioned();
      clock.now = 599_999;
      await migrate();
      expect((await claimOf())["schema_version"]).toBeUndefined();
      clock.now = 600_000;
      proxy.state = "reset";
      await migrate();
      expect(failures.filter(([project]) => project === id)).toEqual([]);
      proxy.state = "through";
      clock.now = 1_200_000;
      await migrate();
      expect((await claimOf())["schema_version"]).toBe(1);
    } finally {
      proxy.state = "through";
      await graph.close();
    }
  }, 120_000);

  it("one whose version is no whole number is behind until it is corrected", async () => {
    const { id } = await create(connection());
    await until(async () => (await read(id))["ikg_status"] === "ACTIVE");
    await makeUnversioned();
    await inSecond("MATCH (c:_Claim) SET c.schema_version = 'one'");
    const { graph, failures, migrate } = openMigrations();
    try {
      expect(await migrate()).toBeGreaterThan(0);
      const reason = expect.stringContaining("the schema version of the data is not a whole number");
      expect(failures.filter(([project]) => project === id)).toEqual([[id, reason]]);
      await inSecond("MATCH (c:_Claim) REMOVE c.schema_version");
      await migrate();
      expect((await claimOf())["schema_version"]).toBe(1);
    } finally {
      await graph.close();
    }
  }, 120_000);

  it("one that cannot be reached is tried again, and keeps no other one waiting", async () => {
    // Its id comes first.
    const lost = await create(connection({ url: "bolt://127.0.0.1:9" }));
    const { id } = await create(connection());
    await until(async () => (await read(id))["ikg_status"] === "ACTIVE");
    await makeUnversioned();
    await configs.graph.shared.write(
      (tx) => tx.run("MATCH (p:_Project {id: $id}) SET p.ikg_status = 'ACTIVE'", { id: lost.id }),
      { timeoutMs: 30_000 },
    );
    const process = await startMigrating();
    try {
      await until(async () => (await claimOf())["schema_version"] === 1);
      await until(async () => process.running.output().includes("cannot be migrated now"));
    } finally {
      await process.running.end();
    }
  }, 120_000);
});
