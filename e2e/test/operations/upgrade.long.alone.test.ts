import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { clearPriorities } from "../../../stack/src/data-set/clear-priorities.ts";
import {
  type DataSet,
  dataSetFiles,
  readDataSet,
  unversioned,
} from "../../../stack/src/data-set/data-set.ts";
import { loadDatabase } from "../../../stack/src/data-set/database.ts";
import { checkOutFormer, type FormerTree } from "../../../stack/src/data-set/former-tree.ts";
import { isCovered } from "../../../stack/src/data-set/load-phases.ts";
import { openSuiteOfTrees, thisTree } from "../../../stack/src/data-set/suite-of.ts";
import { describeUpgrade, migrationSettings, upgradeUnderLoad } from "../../../stack/src/data-set/upgrade.ts";
import { type Killable, openKillable } from "../../../stack/src/testing/servers/killable.ts";
import { startRedis, type TestRedis } from "../../../stack/src/testing/servers/test-redis.ts";

const files = dataSetFiles();

/** Less than in containers: two servers of Neo4j, services that are compiled when they start and the load share two cores. */
const rate = { pauses: 2, othersPerSecond: 2 };

const addressOf = ({ url, username, password }: Killable) => ({ uri: url, username, password });

/** What the services say about their own failures, and those of requests. */
const failureLines = (output: string): readonly string[] =>
  output.split("\n").filter((line) => /"level":"(error|warn)"/.test(line));

it("there is data of the builds before the first release", () => {
  expect(files.map((file) => basename(file))).toContain(`${unversioned}.ndjson.gz`);
});

describe.each(files.map((file) => [basename(file, ".ndjson.gz"), file] as const))(
  "the data of %s",
  (_release, file) => {
    let set: DataSet;
    let former: FormerTree;
    let server: Killable;
    let redis: TestRedis;

    beforeAll(async () => {
      set = readDataSet(file);
      former = checkOutFormer(set.commit);
      [server, redis] = await Promise.all([openKillable(), startRedis()]);
      await loadDatabase(addressOf(server), set.stored);
    }, 600_000);
    afterAll(async () => {
      await redis?.close();
      await server?.remove();
      former?.remove();
    }, 120_000);

    it("is upgraded under load, back to the former services, and again: nothing fails, no capture and no import is lost, nothing decided otherwise", async () => {
      const suite = await openSuiteOfTrees({
        NEO4J_URI: server.url,
        NEO4J_USERNAME: server.username,
        NEO4J_PASSWORD: server.password,
        REDIS_URL: redis.url,
        LOG_LEVEL: "info",
        ...set.variables,
        ...migrationSettings,
      });
      try {
        await suite.run(former.folder);
        const upgraded = {
          url: suite.gateway,
          database: addressOf(server),
          toFormer: async () => {
            await suite.run(former.folder);
            if (set.release === unversioned) await clearPriorities(redis.url);
          },
          toThis: () => suite.run(thisTree),
        };
        const figures = await upgradeUnderLoad(set, upgraded, rate);
        process.stdout.write(`${describeUpgrade(set, figures)}\n`);
        if (figures.faults.length > 0) process.stdout.write(`${failureLines(suite.output()).join("\n")}\n`);
        expect(figures.faults).toEqual([]);
        expect(figures.phases).toHaveLength(4);
        expect(figures.phases.filter((phase) => !isCovered(phase))).toEqual([]);
        expect(figures.changed).toEqual([]);
        expect(figures.projects).toBe(set.projects.length);
        expect(figures.lost).toBe(0);
        expect(figures.unmigrated).toBe(0);
        expect(figures.different).toEqual([]);
        expect(figures.unverified).toEqual([]);
      } finally {
        await suite.close();
      }
    }, 1_800_000);
  },
);
