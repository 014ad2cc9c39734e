import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { startServiceProcess } from "../../../../stack/src/testing/servers/service-process.ts";
import { environmentOfTest } from "../environment.ts";
import { type UnversionedData, writeUnversionedData } from "./unversioned-data.ts";

const kills = 20;
/** Some 250 batches of each step. */
const settings = {
  LOG_LEVEL: "info",
  MIGRATION_DELAY_SECONDS: "0",
  MIGRATION_TAKEOVER_SECONDS: "1",
  MIGRATION_BATCH_SIZE: "8",
  MIGRATION_PACE_PERCENT: "10",
};

let data: UnversionedData;

beforeAll(async () => {
  data = await writeUnversionedData({ projects: 120, policies: 16 });
}, 300_000);
afterAll(() => data.remove(), 120_000);

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a migration whose process is killed", () => {
  it(
    "ends right after twenty kills at any moment, each time taken up by the next process",
    async () => {
      const environment = { ...environmentOfTest(), ...settings };
      let output = "";
      const places = new Set<string>();
      for (let turn = 0; turn < kills; turn++) {
        const { running } = await startServiceProcess("configs", environment);
        // Until it has the lease, and for a moment of its work.
        await wait(1_000 + Math.random() * 1_500);
        await running.end("SIGKILL");
        output += running.output();
        const {
          schema_version: version,
          migration_step: step,
          migration_cursor: cursor,
        } = await data.claim();
        places.add(`${String(step)} ${String(cursor)}`);
        if (turn < kills / 2) expect(version).toBeUndefined();
      }
      const both = await Promise.all([
        startServiceProcess("configs", environment),
        startServiceProcess("configs", environment),
      ]);
      try {
        await eventually(
          () => data.claim(),
          (claim) => claim["schema_version"] === 1,
          { withinMs: 300_000, everyMs: 200 },
        );
        await wait(500);
      } finally {
        await Promise.all(both.map(({ running }) => running.end()));
      }
      output += both.map(({ running }) => running.output()).join("");
      expect((await data.claim())["schema_version"]).toBe(1);
      expect(await data.found()).toEqual(data.expected);
      expect(count(output, '"a migration is done"')).toBe(1);
      process.stdout.write(`${places.size} places at ${kills} kills\n`);
      // The kills met it at work.
      expect(places.size).toBeGreaterThan(kills / 2);
    },
    30 * 60_000,
  );
});
