import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { type Gid, newGid, type Problem } from "@ikg/contracts";
import { isRequeued, openOrganizationTurns, openQueueing, type TurnOwner } from "@ikg/queues";
import { queueConnection } from "@ikg/service";
import { type Job, type Queue, Worker } from "bullmq";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { beginRun } from "../src/runs/begin-run.ts";
import type { Run } from "../src/runs/run-record.ts";
import type { Scorer } from "../src/scorer.ts";
import { takeTurn, type TurnParts } from "../src/take-turn.ts";
import { addSpares, takesTurns, turnId, type TurnJob } from "../src/turn-job.ts";
import { people } from "./people.ts";
import { openTestBed, type TestBed, type TestScorer, testSettings } from "./scorer-under-test.ts";
import type { TestProject } from "./test-project.ts";

export const token = "test";
const ending = new AbortController();
export const messages: string[] = [];
export const note = (message: string): void => void messages.push(message);

export let bed: TestBed;
export let running: TestScorer;
export let project: TestProject;
export let turns: Queue<TurnJob>;
let worker: Worker<TurnJob>;
export let parts: TurnParts;

export const next = async (): Promise<Job<TurnJob>> => {
  const job = await worker.getNextJob(token, { block: false });
  if (job === undefined) throw new Error("no job waits");
  return job;
};

/** Takes the turn of a job as a worker does. @returns false when the job has ended */
export const take = async (job: Job<TurnJob>, withParts = parts): Promise<boolean> => {
  try {
    await takeTurn(withParts, job, token);
  } catch (error) {
    if (isRequeued(error)) return true;
    throw error;
  }
  await job.moveToCompleted(undefined, token, false);
  return false;
};

export const jobOf = async (id: Gid, place: number): Promise<Job<TurnJob>> => {
  const job = await turns.getJob(turnId(id, place));
  if (job === undefined) throw new Error(`place ${place} has no job`);
  return job;
};

export const ownerOf = ({ id, organizationId }: TestProject): TurnOwner & { readonly project: Gid } => ({
  project: id,
  organization: organizationId,
});

/** Adds the job of one place above 0, which waits until no project does. */
export const addFurtherPlace = (of: TestProject): Promise<void> => addSpares(parts, ownerOf(of), 2);

export const begin = async (type: string, count: number, of = project): Promise<Run> => {
  await of.nodes(type, people(count));
  const profile = await of.profile({ type });
  const slot = await beginRun(running.scorer, profile, new Date().toISOString(), ending.signal);
  if (slot.kind !== "begun") throw new Error(`the slot is ${slot.kind}`);
  return slot.run;
};

export const openRun = async ({ profileId }: Run): Promise<Run | undefined> =>
  (await running.scorer.records.find(profileId))?.run;

export const rangeOf = ({ profileId, runId }: Run) => ({ profile: profileId, run: runId, range: 0 });

/** @param least so many that a run behind all of them waits for more turns than the test allows */
export const manyProjects = (least: number): number => (isLongRun() ? 8 : least);

/** Projects of one organization, each with a run of many turns. */
export const beginMany = async (count: number, nodes = 300): Promise<readonly TestProject[]> => {
  const organization = newGid("organization");
  const projects: TestProject[] = [];
  for (let at = 0; at < count; at++) {
    const each = await bed.project(undefined, false, organization);
    await begin("Person", nodes, each);
    projects.push(each);
  }
  return projects;
};

/** Takes turns until a run has ended. @returns the projects whose turns they were */
export const turnsUntilEnd = async (run: Run): Promise<readonly Gid[]> => {
  const taken: Gid[] = [];
  while ((await openRun(run)) !== undefined) {
    const job = await next();
    taken.push(job.data.project);
    await take(job);
  }
  return taken;
};

/** Parts whose databases of projects fail in this way. */
export const withFailure = (problem: Problem): TurnParts => {
  const fail = (): Promise<never> => Promise.reject(problem);
  const graph = { of: () => ({ read: fail, write: fail }) } as unknown as Scorer["graph"]; // all that a range calls
  return { ...parts, scorer: { ...parts.scorer, graph } };
};

/** Gives the tests of a file a scorer that begins no job, and each of them a project, a queue and a worker. */
export const useTurns = (): void => {
  beforeAll(async () => {
    bed = await openTestBed();
    // It begins no job, and enqueues no project: each test does that by itself.
    running = await bed.start({ concurrency: 0, batchSize: 5, reconcileMs: 600_000 });
  });
  afterAll(async () => {
    ending.abort();
    await bed.close();
  });

  beforeEach(async () => {
    project = await bed.project();
    messages.length = 0;
    const { REDIS_URL: redisUrl } = testSettings();
    const { scorer, service } = running;
    const { signal } = ending;
    const name = `trust-test-${randomUUID().slice(0, 8)}-turns`;
    const queueing = openQueueing({ redisUrl, takeoverMs: 60_000, subject: "turns", signal }, service.log);
    turns = queueing.queue<TurnJob>(name);
    worker = new Worker<TurnJob>(name, null, {
      connection: queueConnection(redisUrl),
      prefix: "ikg",
      lockDuration: 60_000,
    }).on("error", (error) => note(error.message));
    parts = {
      scorer: { ...scorer, log: { info: note, warn: note, error: note, debug: () => undefined } as never }, // what is called
      tracing: service.tracing,
      turns,
      organizations: openOrganizationTurns(turns, (error) => note(error.message), takesTurns),
      turnMs: 20,
      onError: (error) => note(error.message),
      signal,
    };
  });
  afterEach(async () => {
    await worker.close();
    await turns.obliterate({ force: true });
    await turns.close();
    await bed.removeProjects();
  });
};
