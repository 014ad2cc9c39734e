import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import { SchemaMismatch } from "@ikg/graph";
import { isRequeued, openOrganizationTurns, openQueueing, type TurnOwner, turnPriority } from "@ikg/queues";
import { queueConnection } from "@ikg/service";
import { type Job, type Queue, Worker } from "bullmq";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { freeRanges } from "../src/free-ranges.ts";
import { beginRun } from "../src/runs/begin-run.ts";
import type { Run } from "../src/runs/run-record.ts";
import type { Scorer } from "../src/scorer.ts";
import { enqueueProject, takeTurn, type TurnParts } from "../src/take-turn.ts";
import { addSpares, addTurn, takesTurns, turnId, type TurnJob, type TurnQueues } from "../src/turn-job.ts";
import { people } from "./people.ts";
import { openTestBed, type TestBed, type TestScorer, testSettings } from "./scorer-under-test.ts";
import type { TestProject } from "./test-project.ts";

const token = "test";
const ending = new AbortController();
const messages: string[] = [];
const note = (message: string): void => void messages.push(message);

let bed: TestBed;
let running: TestScorer;
let project: TestProject;
let turns: Queue<TurnJob>;
let worker: Worker<TurnJob>;
let parts: TurnParts;

beforeAll(async () => {
  bed = await openTestBed();
  // It begins no job: each test does that by itself.
  running = await bed.start({ concurrency: 0, batchSize: 5 });
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
});

const next = async (): Promise<Job<TurnJob>> => {
  const job = await worker.getNextJob(token, { block: false });
  if (job === undefined) throw new Error("no job waits");
  return job;
};

/** Takes the turn of a job as a worker does. @returns false when the job has ended */
const take = async (job: Job<TurnJob>, withParts = parts): Promise<boolean> => {
  try {
    await takeTurn(withParts, job, token);
  } catch (error) {
    if (isRequeued(error)) return true;
    throw error;
  }
  await job.moveToCompleted(undefined, token, false);
  return false;
};

const jobOf = async (id: Gid, place: number): Promise<Job<TurnJob>> => {
  const job = await turns.getJob(turnId(id, place));
  if (job === undefined) throw new Error(`place ${place} has no job`);
  return job;
};

const ownerOf = ({ id, organizationId }: TestProject): TurnOwner & { readonly project: Gid } => ({
  project: id,
  organization: organizationId,
});

/** Adds the job of one place above 0, which waits until no project does. */
const addFurtherPlace = (of: TestProject): Promise<void> => addSpares(parts, ownerOf(of), 2);

const begin = async (type: string, count: number, of = project): Promise<Run> => {
  await of.nodes(type, people(count));
  const profile = await of.profile({ type });
  const slot = await beginRun(running.scorer, profile, new Date().toISOString(), ending.signal);
  if (slot.kind !== "begun") throw new Error(`the slot is ${slot.kind}`);
  return slot.run;
};

const openRun = async ({ profileId }: Run): Promise<Run | undefined> =>
  (await running.scorer.records.find(profileId))?.run;

const rangeOf = ({ profileId, runId }: Run) => ({ profile: profileId, run: runId, range: 0 });

/** Parts whose databases of projects fail in this way. */
const withFailure = (problem: Problem): TurnParts => {
  const fail = (): Promise<never> => Promise.reject(problem);
  const graph = { of: () => ({ read: fail, write: fail }) } as unknown as Scorer["graph"]; // all that a range calls
  return { ...parts, scorer: { ...parts.scorer, graph } };
};

const pauses = "a run of trust scores pauses: its database cannot be used";
const goesOn = "a run of trust scores resumes";

it("a run whose last worker was killed before its end is ended by a turn of its project, while another run is open", async () => {
  const [killed, other] = [await begin("Person", 3), await begin("Car", 3)];
  await running.scorer.records.progress(killed, 0, 3, true);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  await job.updateData({ ...job.data, range: rangeOf(other) });
  expect(await take(job)).toBe(true);
  expect(await openRun(killed)).toBeUndefined();
  expect(await openRun(other)).toBeDefined();
  expect(await take(await next())).toBe(true);
  expect(await openRun(other)).toBeUndefined();
  expect(await take(await next())).toBe(false);
  expect(await turns.getJob(turnId(project.id, 0))).toBeUndefined();
});

it("a run whose ranges are all scored is left to the place that has one of them", async () => {
  const run = await begin("Person", 3);
  await running.scorer.records.progress(run, 0, 3, true);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  const further = { project: project.id, place: 1 };
  expect(await freeRanges(parts, further)).toEqual([rangeOf(run)]);
  await job.updateData({ ...job.data, range: { ...rangeOf(run), range: 7 } });
  expect(await freeRanges(parts, further)).toEqual([]);
  expect(await freeRanges(parts, job.data)).toEqual([rangeOf(run)]);
});

it("a further place that yields leaves its range to the turn of its project", async () => {
  const run = await begin("Person", 300);
  await addFurtherPlace(project);
  const job = await next();
  expect(job.data.place).toBe(1);
  const other = await bed.project();
  await addTurn(parts, ownerOf(other));
  expect(await take(job)).toBe(true);
  expect(await project.countScores()).toBeGreaterThan(0);
  expect(await openRun(run)).toBeDefined();
  expect((await jobOf(project.id, 1)).data.range).toBeUndefined();
  // Behind the other project, whose turn finds nothing.
  const first = await next();
  expect(first.data.project).toBe(other.id);
  expect(await take(first)).toBe(false);
  const second = await next();
  expect(second.data).toEqual({ ...ownerOf(project), place: 0 });
  expect(await take(second)).toBe(true);
  expect(await openRun(run)).toBeUndefined();
  expect(await project.countScores()).toBe(300);
}, 60_000);

/** Projects of one organization, each with a run of many turns. */
const beginMany = async (count: number, nodes = 300): Promise<readonly TestProject[]> => {
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
const turnsUntilEnd = async (run: Run): Promise<readonly Gid[]> => {
  const taken: Gid[] = [];
  while ((await openRun(run)) !== undefined) {
    const job = await next();
    taken.push(job.data.project);
    await take(job);
  }
  return taken;
};

it("organizations take turns: a small run does not wait for the many projects of another organization", async () => {
  const many = await beginMany(8);
  for (const each of many) await addTurn(parts, ownerOf(each));
  const small = await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const taken = await turnsUntilEnd(small);
  expect(taken.at(-1)).toBe(project.id);
  expect(taken.length).toBeLessThanOrEqual(2);
}, 60_000);

it("organizations take turns also where several processes add projects of one at the same moment", async () => {
  const many = await beginMany(8);
  const openProcess = (): TurnQueues => ({
    turns,
    organizations: openOrganizationTurns(turns, (error) => note(error.message), takesTurns),
  });
  await Promise.all(many.map((each) => addTurn(openProcess(), ownerOf(each))));
  const small = await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  expect((await turnsUntilEnd(small)).length).toBeLessThanOrEqual(3);
}, 60_000);

it("the projects of an organization take turns, whether another organization has work or not", async () => {
  // So many that no run ends within the turns of this test, also where a machine is slow to end a turn.
  const nodes = 3_000;
  const many = await beginMany(3, nodes);
  for (const each of many) await addTurn(parts, ownerOf(each));
  const order: Gid[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const job = await next();
    order.push(job.data.project);
    expect(await take(job)).toBe(true);
  }
  const ids = many.map(({ id }) => id);
  expect(order).toEqual([...ids, ...ids]);
  await begin("Person", nodes);
  await addTurn(parts, ownerOf(project));
  const beside: Gid[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const job = await next();
    beside.push(job.data.project);
    expect(await take(job)).toBe(true);
  }
  expect(beside.filter((id) => id === project.id)).toHaveLength(3);
  expect(new Set(beside)).toEqual(new Set([...ids, project.id]));
}, 60_000);

it("a job of 0.2.0 is the turn of an organization with its project alone, and has its organization then", async () => {
  const many = await beginMany(3);
  for (const each of many) await addTurn(parts, ownerOf(each));
  const small = await begin("Person", 3);
  await addTurn(parts, { project: project.id });
  expect((await jobOf(project.id, 0)).data).not.toHaveProperty("organization");
  expect((await turnsUntilEnd(small)).length).toBeLessThanOrEqual(2);
  expect((await jobOf(project.id, 0)).data.organization).toBe(project.organizationId);
}, 60_000);

it("a further place keeps its low priority after a turn, also one that 0.2.0 added", async () => {
  await begin("Person", 300);
  await addFurtherPlace(project);
  await (await jobOf(project.id, 1)).changePriority({ priority: turnPriority.behind });
  const job = await next();
  await addTurn(parts, ownerOf(await bed.project()));
  expect(await take(job)).toBe(true);
  expect((await jobOf(project.id, 1)).priority).toBe(turnPriority.spare);
}, 60_000);

it("a project whose database is unavailable pauses for longer after each turn, and says so once", async () => {
  await begin("Person", 3);
  await project.setStatus("PENDING");
  // It waits with a lower priority all the time.
  await addFurtherPlace(await bed.project());
  await addTurn(parts, ownerOf(project));
  for (const [turn, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
    expect(await take(await next())).toBe(true);
    const job = await jobOf(project.id, 0);
    expect([job.data.outages, Math.round(job.delay / 1_000)]).toEqual([turn + 1, seconds]);
    expect(job.priority).toBe(turnPriority.behind);
    await job.promote();
  }
  expect(messages).toEqual([pauses]);
  await project.setStatus("ACTIVE");
  expect(await take(await next())).toBe(true);
  expect((await jobOf(project.id, 0)).data).not.toHaveProperty("outages");
  expect(messages.filter((message) => [pauses, goesOn].includes(message))).toEqual([pauses, goesOn]);
  expect(await project.countScores()).toBe(3);
}, 60_000);

it("a project whose database has a schema version that is refused holds no worker, though nothing waits", async () => {
  await begin("Person", 3);
  const refused = withFailure(
    new Problem("unavailable", { cause: new SchemaMismatch("the data is of schema version 9") }),
  );
  await addTurn(parts, ownerOf(project));
  expect(await take(await next(), refused)).toBe(true);
  const job = await jobOf(project.id, 0);
  expect([job.data.outages, Math.round(job.delay / 1_000)]).toEqual([1, 5]);
  expect(messages).toEqual([pauses]);
});

it("the turns of a deleted project end, also while its database is unavailable", async () => {
  await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const turn = take(await next(), withFailure(new Problem("unavailable")));
  await eventually(
    () => messages,
    (all) => all.length > 0,
    { withinMs: 20_000, everyMs: 10 },
  );
  project.remove();
  expect(await turn).toBe(true);
  await (await jobOf(project.id, 0)).promote();
  expect(await take(await next())).toBe(false);
  expect(await turns.getJob(turnId(project.id, 0))).toBeUndefined();
}, 30_000);

it("failures of a job are counted until a turn works", async () => {
  await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  const failing = {
    ...parts,
    tracing: { ...parts.tracing, job: () => Promise.reject(new Error("a fault")) },
  };
  for (const failures of [1, 2]) {
    await expect(takeTurn(failing, job, token)).rejects.toThrow("a fault");
    expect((await jobOf(project.id, 0)).data.failures).toBe(failures);
  }
  expect(await take(job)).toBe(true);
  expect((await jobOf(project.id, 0)).data).not.toHaveProperty("failures");
});

it("a turn that fails ends once, and with its reason also where its end cannot be noted", async () => {
  await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  let ends = 0;
  const failing = {
    ...parts,
    organizations: { ...parts.organizations, endTurn: async () => void (ends += 1) },
    tracing: { ...parts.tracing, job: () => Promise.reject(new Error("a fault")) },
  };
  await expect(takeTurn(failing, job, token)).rejects.toThrow("a fault");
  expect(ends).toBe(1);
  const update = job.updateData.bind(job);
  let updates = 0;
  // The first one notes the range of the turn, the second one its end.
  job.updateData = async (data) => {
    updates += 1;
    if (updates === 2) throw new Error("Redis is unavailable");
    await update(data);
  };
  await expect(takeTurn(failing, job, token)).rejects.toThrow("a fault");
  expect(messages).toContain("the end of a turn could not be noted in its job");
});

it("jobs of a project that the queue has already cost no look at the queue", async () => {
  await addTurn(parts, ownerOf(project));
  const priorityOf = (): Promise<never> => Promise.reject(new Error("a look"));
  const queues = { turns, organizations: { ...parts.organizations, priorityOf } };
  await addTurn(queues, ownerOf(project));
  await expect(addTurn(queues, ownerOf(await bed.project()))).rejects.toThrow("a look");
});

it("the catalog is read only where the job of the turns of a project is missing, or has no organization", async () => {
  const reads: string[] = [];
  const projects: Scorer["projects"] = {
    project: (id) => {
      reads.push(id);
      return parts.scorer.projects.project(id);
    },
  };
  const counting = { ...parts, scorer: { ...parts.scorer, projects } };
  await enqueueProject(counting, project.id);
  expect(reads).toEqual([project.id]);
  await (await jobOf(project.id, 2)).remove();
  await enqueueProject(counting, project.id);
  expect(reads).toEqual([project.id]);
  const owner = ownerOf(project);
  expect((await jobOf(project.id, 2)).data).toMatchObject({ ...owner, place: 2 });
  await (await jobOf(project.id, 0)).updateData({ project: project.id, place: 0 });
  await (await jobOf(project.id, 3)).remove();
  await enqueueProject(counting, project.id);
  expect(reads).toEqual([project.id, project.id]);
  expect((await jobOf(project.id, 3)).data).toMatchObject({ ...owner, place: 3 });
});

it("a turn that finds no free range releases its worker", async () => {
  await addTurn(parts, ownerOf(project));
  const releases: unknown[] = [];
  const releaseWorker: TurnParts["organizations"]["releaseWorker"] = async ({ id }) => void releases.push(id);
  const job = await next();
  expect(await take(job, { ...parts, organizations: { ...parts.organizations, releaseWorker } })).toBe(false);
  expect(releases).toEqual([job.id]);
});
