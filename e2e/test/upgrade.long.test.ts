import { globSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { askDatabase, loadDatabase } from "../../stack/src/data-set/database.ts";
import { inRepository } from "../../stack/src/repository.ts";
import { type Killable, openKillable } from "../../stack/src/testing/killable.ts";
import { type DataSet, readDataSet, unversioned } from "../src/data-set/data-set.ts";
import { checkOutFormer, type FormerTree } from "../src/data-set/former-tree.ts";
import { askAll, startLoad } from "../src/data-set/load.ts";
import { openSuiteOfTrees, thisTree } from "../src/data-set/suite-of.ts";
import { startRedis, type TestRedis } from "../src/redis.ts";

/** The migration begins when the services are replaced, and takes its time. */
const settings = { MIGRATION_DELAY_SECONDS: "1", MIGRATION_BATCH_SIZE: "3", MIGRATION_PACE_PERCENT: "10" };

const files = globSync(inRepository("e2e", "data-sets", "*.ndjson.gz"));

it("there is data of the builds before the first release", () => {
  expect(files.map((file) => basename(file))).toContain(`${unversioned}.ndjson.gz`);
});

describe.each(files.map((file) => [basename(file, ".ndjson.gz"), file] as const))(
  "the data of %s",
  (_release, file) => {
    let set: DataSet;
    let former: FormerTree | string;
    let server: Killable;
    let redis: TestRedis;

    beforeAll(async () => {
      set = readDataSet(file);
      former = checkOutFormer(set.commit);
      [server, redis] = await Promise.all([openKillable(), startRedis()]);
      await loadDatabase(
        { uri: server.url, username: server.username, password: server.password },
        set.stored,
      );
    }, 600_000);
    afterAll(async () => {
      await redis?.close();
      await server?.remove();
      if (typeof former !== "string") former.remove();
    }, 120_000);

    const ask = async (text: string, params: object = {}): Promise<Record<string, unknown>> => {
      const address = { uri: server.url, username: server.username, password: server.password };
      const [row = {}] = await askDatabase(address, text, params);
      return row;
    };
    const untilVersion = async (version: number): Promise<void> => {
      for (const end = Date.now() + 300_000; Date.now() < end; await pause(500)) {
        const { found } = await ask(
          "MATCH (c:_Claim {key: 'database'}) RETURN coalesce(c.schema_version, 0) AS found",
        );
        if (found === version) return;
      }
      throw new Error(`the data is not of version ${version} after 5 min`);
    };

    it("is upgraded under load, back to the former services, and again: nothing fails, nothing is lost, nothing decided otherwise", async () => {
      const suite = await openSuiteOfTrees({
        NEO4J_URI: server.url,
        NEO4J_USERNAME: server.username,
        NEO4J_PASSWORD: server.password,
        REDIS_URL: redis.url,
        LOG_LEVEL: "info",
        ...set.variables,
        ...settings,
      });
      // Without the former services the data is upgraded all the same.
      const formerTree = typeof former === "string" ? undefined : former.folder;
      if (typeof former === "string") process.stdout.write(`without the former services: ${former}\n`);
      try {
        await suite.run(formerTree ?? thisTree);
        expect(await askAll(suite.gateway, set)).toEqual([]);
        const load = startLoad(suite.gateway, set);
        try {
          if (formerTree !== undefined) await suite.run(thisTree);
          await untilVersion(1);
          if (formerTree !== undefined) {
            await suite.run(formerTree);
            await pause(3_000);
            await suite.run(thisTree);
          }
          await pause(3_000);
        } finally {
          await load.end();
        }
        const changed = await askAll(suite.gateway, set);
        let [written, stored] = [0, 0];
        for (const [{ id }, ids] of load.written) {
          const { found } = await ask(
            "MATCH (p:_Project {id: $id}) UNWIND $ids AS id MATCH (n:_Node {_key: p.pk + '/Mark/' + id}) RETURN count(n) AS found",
            { id, ids },
          );
          written += ids.length;
          stored += Number(found);
        }
        process.stdout.write(
          `upgrade of ${set.release}: ${load.asked()} requests, ${load.faults.length} faults; ${written} nodes captured, ` +
            `${written - stored} lost; ${set.questions.length} questions, ${changed.length} decided otherwise\n`,
        );
        expect(load.faults).toEqual([]);
        expect(changed).toEqual([]);
        expect(load.written.size).toBe(set.projects.length);
        expect(stored).toBe(written);
        expect(await ask("MATCH (r:_Record) WHERE r.content_bytes IS NULL RETURN count(r) AS found")).toEqual(
          { found: 0 },
        );
      } finally {
        await suite.close();
      }
    }, 1_200_000);
  },
);
