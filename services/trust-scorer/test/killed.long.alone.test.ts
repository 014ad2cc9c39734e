import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Gid } from "@ikg/contracts";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import { isLongRun, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { finalScore, people } from "./people.ts";
import { openTestBed, type TestBed, testSettings } from "./scorer-under-test.ts";
import type { TestProject } from "./test-project.ts";

const kills = isLongRun() ? 50 : 5;
const all: ServiceProcess[] = [];
const alive = new Set<ServiceProcess>();
let bed: TestBed;

const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const { NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, REDIS_URL } = testSettings();
  const started = await startServiceProcess("trust-scorer", {
    NEO4J_URI,
    NEO4J_USERNAME,
    NEO4J_PASSWORD,
    // Keys of these processes alone: another suite on the same Redis has queues of the same names.
    REDIS_URL: `${REDIS_URL.replace(/\/\d+$/, "")}/10`,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    TRUST_TAKEOVER_SECONDS: "1",
    TRUST_HOUSEKEEPING_SECONDS: "1",
    LOG_LEVEL: "debug",
    ...settings,
  });
  all.push(started);
  alive.add(started);
};

const kill = async (victim: ServiceProcess): Promise<void> => {
  alive.delete(victim);
  await victim.running.end("SIGKILL");
};

beforeAll(async () => {
  requireVariable("REDIS_URL");
  bed = await openTestBed();
});
afterEach(async () => {
  for (const each of alive) await kill(each);
});
afterAll(async () => {
  await bed.close();
});

/** Lines of a kind that any of the processes wrote about a profile. */
const lines = (message: string, profile: string): Record<string, unknown>[] =>
  all
    .flatMap(({ running }) => running.output().split("\n"))
    .filter((line) => line.includes(`"msg":"${message}"`) && line.includes(profile))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Kills a worker in the middle of a run, `kills` times, each followed by a new one. @returns the runs seen */
const killWorkers = async (
  project: TestProject,
  profile: Gid,
  settings: Readonly<Record<string, string>>,
) => {
  const openRuns = new Set<string>();
  // As the profile says; a worker that is killed in the moment after has no time to log it.
  const lastRuns = new Set<unknown>();
  for (let killed = 0; killed < kills;) {
    const { run_id: open, last_run_id } = (await project.state(profile)) ?? {};
    lastRuns.add(last_run_id);
    if (typeof open !== "string") {
      await wait(20);
      continue;
    }
    await wait(Math.random() * 1_000);
    const [victim] = alive;
    if (victim === undefined) throw new Error("no worker is alive");
    const [before] = await Promise.all([project.state(profile), kill(victim), start(settings)]);
    // Killed in the middle of a run; between two runs it proves nothing.
    if (typeof before?.["run_id"] !== "string") continue;
    openRuns.add(before["run_id"]);
    killed++;
  }
  return { openRuns, lastRuns };
};

describe(`a run whose workers are killed ${kills} times`, () => {
  it(
    "scores every node as an undisturbed run does, and ends once",
    async () => {
      const project = await bed.project(undefined, true);
      const nodes = people(4_000);
      await project.nodes("Person", nodes);
      const profile = await project.profile({ schedule: "THREE_HOURS" });
      // A run takes some seconds, and the next one follows.
      const settings = {
        TRUST_BATCH_SIZE: "20",
        TRUST_RANGE_SIZE: "1500",
        TRUST_PACE_PERCENT: "20",
        TRUST_SCHEDULE_SCALE: "0.0005",
      };
      await Promise.all([start(settings), start(settings)]);
      const { openRuns, lastRuns } = await killWorkers(project, profile, settings);
      const since = new Date().toISOString();
      // The run under way, and one after it.
      const state = await project.scored(profile, since, 120_000);
      const scores = await project.scores("Person");
      expect(Object.keys(scores).length).toBe(4_000);
      const run = String(state["last_run_id"]);
      const wrong = Object.entries(nodes).filter(([id, fields]) => {
        const score = scores[id];
        // The next run may have begun already.
        if (score?.["run_id"] !== run) return score === undefined;
        return score["_final_score"] !== finalScore(fields, state["last_run_start_time"]);
      });
      expect(wrong).toEqual([]);

      const finished = lines("a run of trust scores is finished", profile);
      const ids = finished.map((line) => String(line["run"]));
      expect(new Set(ids).size).toBe(ids.length);
      expect(finished.every((line) => line["nodes"] === 4_000)).toBe(true);
      // Whatever was killed, the runs went on under their own ids and ended.
      const failed = lines("a run of trust scores has failed; the next scheduled run starts over", profile);
      expect(failed).toEqual([]);
      const begun = lines("a run of trust scores begins", profile).map((line) => String(line["run"]));
      expect(begun.length).toBeGreaterThan(0);
      lastRuns.add(run);
      expect([...openRuns].filter((id) => !ids.includes(id) && !lastRuns.has(id))).toEqual([]);
      // A page is written once: no two workers report the same progress of a range.
      const pages = lines("a page of nodes is scored", profile).map((line) =>
        [line["run"], line["range"], line["scored"]].join("/"),
      );
      expect(new Set(pages).size).toBe(pages.length);
    },
    60_000 + kills * 15_000,
  );
});
