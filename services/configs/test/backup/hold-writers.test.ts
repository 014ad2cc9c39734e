import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { projectKey, projectLabel, quoteName } from "@ikg/physical";
import { neo4jVariables } from "../../../../stack/src/testing/test-environment.ts";
import { holdWriters } from "../../src/backup/hold-writers.ts";
import { openRaw, type RawDatabase } from "../../src/backup/source.ts";

const project = { id: newGid("project"), pk: "holdtest" };
const label = quoteName(projectLabel(projectKey(project.pk)));

let database: RawDatabase;
beforeAll(async () => {
  database = await openRaw({
    ...neo4jVariables(),
    NEO4J_DATABASE: "neo4j",
  });
  await database.write((tx) =>
    tx.run(`CREATE (:${label} {value: 0}) CREATE (:_Record {id: $id, value: 0})`, { id: project.id }),
  );
});
afterAll(async () => {
  await database.write((tx) =>
    tx.run(`MATCH (n:${label}|_Record) WHERE n:${label} OR n.id = $id DETACH DELETE n`, { id: project.id }),
  );
  await database.close();
});

const writeTo = async (nodes: string): Promise<number> => {
  const began = performance.now();
  await database.write((tx) => tx.run(`MATCH (n:${nodes}) SET n.value = n.value + 1`));
  return performance.now() - began;
};

describe("the writers of a project", () => {
  it("wait for as long as they are held, and others do not", async () => {
    const waited: Promise<number>[] = [];
    let other = Infinity;
    const attempt = () =>
      holdWriters(database, project, 10_000, async () => {
        waited.push(writeTo(label), writeTo(`_Record {id: "${project.id}"}`));
        other = await writeTo(quoteName("_P__otherone"));
        await wait(200);
        return "value";
      });
    // On a busy machine the locks may come too late.
    let held = await attempt();
    for (let more = 0; more < 10 && !("value" in held); more++) held = await attempt();
    expect(held).toMatchObject({ value: "value" });
    for (const ms of await Promise.all(waited)) expect(ms).toBeGreaterThan(150);
    expect(other).toBeLessThan("ms" in held ? held.ms : 0);
  });

  it("are held for half a second at most, whatever takes longer", async () => {
    let waited: Promise<number> | undefined;
    const held = await holdWriters(database, project, 500, async () => {
      waited = writeTo(label);
      await wait(20_000, undefined, { ref: false });
    });
    expect(held).toEqual({ reason: "it could not be read within 500 ms" });
    expect(await waited).toBeLessThan(10_000);
  });

  it("are not held while one of them is at work, for which no writer waits longer than 300 ms", async () => {
    const session = database.session();
    const tx = await session.beginTransaction();
    await tx.run(`MATCH (n:${label}) SET n.value = -1`);
    let isHeld = false;
    const attempt = holdWriters(database, project, 500, async () => void (isHeld = true));
    // It waits in the line of the locks, with those that came after it behind it.
    await wait(100);
    const behind = database.write((other) => other.run(`CREATE (:${label} {value: 1})`));
    expect(await attempt).toEqual({ reason: "its transactions took longer than 300 ms" });
    await behind;
    expect(isHeld).toBe(false);
    await tx.commit();
    await session.close();
  });

  it("leave no index behind", async () => {
    const rows = await database.read(
      "SHOW INDEXES YIELD name WHERE name STARTS WITH 'ikg_backup' RETURN name",
    );
    expect(rows).toEqual([]);
  });
});
