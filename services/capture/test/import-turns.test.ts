import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import { isRequeued, jobIdOf, openOrganizationTurns, openQueueing, openQueueTurn } from "@ikg/queues";
import { queueConnection } from "@ikg/service";
import { type Job, type Queue, Worker } from "bullmq";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { takeTurn, type TurnParts } from "../src/imports/take-turn.ts";
import { addTurn, type AddTurnParts, type TurnJob } from "../src/imports/turn-job.ts";
import { testSettings } from "./environment.ts";
import { person } from "./import-lines.ts";
import type { ImportProject } from "./import-project.ts";
import { type ImportsUnderTest, startImports } from "./imports-under-test.ts";

const token = "test";
/** Longer than the one chunk of a small import takes. */
const turnMs = 200;
const ending = new AbortController();
const errors: Error[] = [];
const onError = (error: Error): void => void errors.push(error);

let imports: ImportsUnderTest;
let queue: Queue<TurnJob>;
let worker: Worker<TurnJob>;
let parts: TurnParts;

beforeAll(async () => {
  // It writes no import: each test does that by itself.
  imports = await startImports(0);
});
afterAll(async () => {
  ending.abort();
  await imports.close();
});

beforeEach(() => {
  errors.length = 0;
  const { REDIS_URL: redisUrl } = testSettings();
  const { log, tracing } = imports.service;
  const { signal } = ending;
  const name = `import-turns-${randomUUID().slice(0, 8)}`;
  queue = openQueueing({ redisUrl, takeoverMs: 60_000, subject: "turns", signal }, log).queue<TurnJob>(name);
  worker = new Worker<TurnJob>(name, null, {
    connection: queueConnection(redisUrl),
    prefix: "ikg",
    lockDuration: 60_000,
  }).on("error", () => undefined);
  parts = {
    ...imports.parts,
    log,
    tracing,
    onRepeat: () => undefined,
    onRows: () => undefined,
    openTurn: () => openQueueTurn(queue, turnMs, onError),
    organizations: openOrganizationTurns(queue, onError),
    track: (write) => write,
    signal,
  };
});
afterEach(async () => {
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  const [first] = errors;
  if (first !== undefined) throw first;
});

/** Adds the job of a project. */
const add = (project: Gid, projects: AddTurnParts["projects"] = parts.projects): Promise<void> =>
  addTurn({ queue, organizations: parts.organizations, projects }, project, undefined);

/** Stages an import of nodes and enqueues its project. @returns its id */
const enqueue = async (project: ImportProject, nodes: number): Promise<string> => {
  const id = await project.begin(Array.from({ length: nodes }, (_, at) => person(at)));
  await add(project.id);
  return id;
};

/** Turns after which a small import is done at the latest. */
const fewTurns = 4;
/**
 * Projects of a large organization, whose turns are together more than these, and the nodes of each. A node is a chunk, which
 * takes transactions to stage and to write.
 */
const [manyProjects, manyNodes] = isLongRun() ? [10, 1_500] : [fewTurns, 1];

interface Enqueued {
  readonly project: ImportProject;
  readonly id: string;
}

/** Projects of one organization, each with an import. */
const enqueueMany = async (count: number, nodes: number): Promise<readonly Enqueued[]> => {
  const organization = newGid("organization");
  const all: Enqueued[] = [];
  for (let at = 0; at < count; at++) {
    const project = imports.project({}, organization);
    all.push({ project, id: await enqueue(project, nodes) });
  }
  return all;
};

const next = async (): Promise<Job<TurnJob>> => {
  const job = await worker.getNextJob(token, { block: false });
  if (job === undefined) throw new Error("no job waits");
  return job;
};

/** Takes a turn as a worker does. @returns the project whose turn it was */
const takeNext = async (): Promise<Gid> => {
  const job = await next();
  try {
    await takeTurn(parts, job, token);
    await job.moveToCompleted(undefined, token, false);
  } catch (error) {
    if (!isRequeued(error)) throw error;
  }
  return job.data.project;
};

/** Takes turns until an import has ended. @returns the projects whose turns they were */
const turnsUntilDone = async (project: ImportProject, id: string): Promise<readonly Gid[]> => {
  const taken: Gid[] = [];
  while ((await project.state(id)).status !== "done") taken.push(await takeNext());
  return taken;
};

it("organizations take turns: a small import does not wait for the many projects of another organization", async () => {
  await enqueueMany(manyProjects, manyNodes);
  const small = imports.project();
  const taken = await turnsUntilDone(small, await enqueue(small, 1));
  expect(taken.at(-1)).toBe(small.id);
  expect(taken.length).toBeLessThanOrEqual(fewTurns);
}, 60_000);

it("a job of 0.2.0 is the turn of an organization with its project alone, and has its organization then", async () => {
  await enqueueMany(manyProjects, manyNodes);
  const small = imports.project();
  const id = await small.begin([person(1)]);
  await add(small.id, { project: async () => undefined });
  expect((await turnsUntilDone(small, id)).length).toBeLessThanOrEqual(fewTurns);
  const job = await queue.getJob(jobIdOf(small.id));
  expect(job?.data.organization).toMatch(/^gid:/);
}, 60_000);

it("an organization alone has all turns, its projects one after the other, until their imports are done", async () => {
  const [projects, nodes] = isLongRun() ? [4, 10] : [2, 2];
  const all = await enqueueMany(projects, nodes);
  const taken: Gid[] = [];
  for (const { project, id } of all) taken.push(...(await turnsUntilDone(project, id)));
  expect(taken.slice(0, projects)).toEqual(all.map(({ project }) => project.id));
  for (const { project } of all) expect(await project.counts()).toEqual({ nodes, relationships: 0 });
}, 60_000);

it("a turn that stops an import ends after the attempt was counted, and fails with the reason", async () => {
  await enqueue(imports.project(), 1);
  const attempts: unknown[] = [];
  const endTurn: TurnParts["organizations"]["endTurn"] = async ({ data }, isDelayed) => {
    attempts.push([data.stopped?.times, isDelayed]);
  };
  const failing = {
    ...parts,
    organizations: { ...parts.organizations, endTurn },
    tracing: { ...parts.tracing, job: () => Promise.reject(new Error("a fault")) },
  };
  await expect(takeTurn(failing, await next(), token)).rejects.toThrow("a fault");
  expect(attempts).toEqual([[1, true]]);
});

it("an import fails after three permanent failures; those of an outage do not count", async () => {
  const project = imports.project();
  const id = await enqueue(project, 1);
  const job = await next();
  const stopWith = (error: Error): Promise<void> => {
    const fail = async () => {
      throw error;
    };
    return takeTurn({ ...parts, tracing: { ...parts.tracing, job: fail } }, job, token);
  };
  const outage = new Problem("unavailable");
  for (let times = 0; times < 3; times++) await expect(stopWith(outage)).rejects.toBe(outage);
  const fault = new Error("a fault");
  for (let times = 0; times < 2; times++) await expect(stopWith(fault)).rejects.toBe(fault);
  expect((await project.state(id)).status).toBe("queued");
  expect(isRequeued(await stopWith(fault).catch((error: unknown) => error))).toBe(true);
  expect(await project.state(id)).toMatchObject({
    status: "failed",
    reason: "writing its rows failed 3 times; the log of capture has the cause",
  });
});

it("failures that an earlier build counted in a job, those of outages too, are no permanent ones", async () => {
  const project = imports.project();
  const id = (await enqueue(project, 1)) as Gid; // of an import
  const job = await next();
  await job.updateData({ ...job.data, stopped: { id, times: 2 } });
  const fault = new Error("a fault");
  const tracing = { ...parts.tracing, job: () => Promise.reject(fault) };
  await expect(takeTurn({ ...parts, tracing }, job, token)).rejects.toBe(fault);
  // Both builds can read it.
  expect(job.data.stopped).toEqual({ id, times: 3, permanent: 1 });
  expect((await project.state(id)).status).toBe("queued");
});

it("the catalog is read only for a job that is added", async () => {
  const { id } = imports.project();
  const reads: string[] = [];
  const projects: AddTurnParts["projects"] = {
    project: (project) => {
      reads.push(project);
      return parts.projects.project(project);
    },
  };
  for (let pass = 0; pass < 3; pass++) await add(id, projects);
  expect(reads).toEqual([id]);
  expect((await queue.getJob(jobIdOf(id)))?.data.organization).toMatch(/^gid:/);
});

it("a project that is not active pauses before its next turn", async () => {
  const project = imports.project();
  await enqueue(project, 1);
  const active = await parts.projects.project(project.id);
  if (active === undefined) throw new Error("the project is unknown");
  parts = { ...parts, projects: { project: async () => ({ ...active, ikgStatus: "PENDING" }) } };
  expect(await takeNext()).toBe(project.id);
  expect(await worker.getNextJob(token, { block: false })).toBeUndefined();
  const job = await queue.getJob(jobIdOf(project.id));
  expect(await job?.getState()).toBe("delayed");
  expect(job?.delay).toBeGreaterThan(25_000);
});

it("a turn that finds nothing to write releases its worker", async () => {
  await add(imports.project().id);
  const releases: unknown[] = [];
  const releaseWorker: TurnParts["organizations"]["releaseWorker"] = async ({ id }) => void releases.push(id);
  const job = await next();
  await takeTurn({ ...parts, organizations: { ...parts.organizations, releaseWorker } }, job, token);
  expect(releases).toEqual([job.id]);
});
