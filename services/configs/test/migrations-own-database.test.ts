import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { startOtherProcess } from "./other-process.ts";
import { configs, connection, create, inSecond, read, useSecondDatabase } from "./second-database.ts";

useSecondDatabase();

const claimOf = async (): Promise<Readonly<Record<string, unknown>>> => {
  const [row] = await inSecond("MATCH (c:_Claim {key: 'database'}) RETURN properties(c) AS claim");
  return row?.["claim"] as Readonly<Record<string, unknown>>; // properties of a node
};
const constraints = async (): Promise<readonly unknown[]> =>
  (await inSecond("SHOW CONSTRAINTS YIELD name RETURN name")).map((row) => row["name"]);

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 30_000; Date.now() < end; await wait(100)) if (await holds()) return;
  throw new Error("it did not come true within 30 s");
};

/** Makes the database what a build that versioned nothing has left. */
const makeUnversioned = async (): Promise<void> => {
  await inSecond("MATCH (c:_Claim) REMOVE c.schema_version, c.schema_readable_from");
  await inSecond("DROP CONSTRAINT ig_project_names IF EXISTS");
  await inSecond("MATCH (g:_ProjectNames) DELETE g");
  await inSecond(
    "CREATE (n:_Node:_P:Car {_key: '/Car/one', id: 'gid:own-migrated', type: 'Car', external_id: 'one', colour: 'red'})",
  );
};

const startMigrating = () =>
  startOtherProcess({ ...configs.environment, LOG_LEVEL: "info", MIGRATION_DELAY_SECONDS: "0" }, 60_000);

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
      await process.close();
    }
    expect(await constraints()).toContain("ig_project_names");
    const [names] = await inSecond(
      "MATCH (g:_ProjectNames) RETURN g.key AS key, g.node_types AS types, g.property_names AS properties, g.count_time IS NOT NULL AS isComplete",
    );
    expect(names).toEqual({ key: `${id}/names`, types: ["Car"], properties: ["colour"], isComplete: true });
    expect(Object.keys(await claimOf())).not.toContain("migration_step");
  }, 120_000);

  it("one that services refuse for its version is reached all the same", async () => {
    const { id } = await create(connection());
    await until(async () => (await read(id))["ikg_status"] === "ACTIVE");
    await makeUnversioned();
    await inSecond("MATCH (c:_Claim) SET c.schema_readable_from = 6");
    const process = await startMigrating();
    try {
      await until(async () => (await claimOf())["schema_version"] === 1);
    } finally {
      await process.close();
    }
    expect(await constraints()).toContain("ig_project_names");
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
      await until(async () => process.output().includes("cannot be migrated now"));
    } finally {
      await process.close();
    }
  }, 120_000);
});
