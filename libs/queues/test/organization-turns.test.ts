import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { queueConnection } from "@ikg/service";
import { type Job, type Queue, Worker } from "bullmq";
import { openOrganizationTurns, type OrganizationTurns } from "../src/organization-turns.ts";
import { isRequeued, requeue } from "../src/requeue.ts";
import { addOrganization, type TurnOwner } from "../src/turn-owner.ts";
import { turnPriority } from "../src/turn-priorities.ts";
import { openTestQueue } from "./test-queue.ts";

const token = "test";
const errors: Error[] = [];

let queue: Queue<TurnOwner>;
let worker: Worker<TurnOwner>;
let turns: OrganizationTurns;

beforeEach(() => {
  errors.length = 0;
  const opened = openTestQueue<TurnOwner>();
  queue = opened.queue;
  worker = new Worker<TurnOwner>(opened.name, null, {
    connection: queueConnection(opened.redisUrl),
    prefix: "ikg",
    lockDuration: 60_000,
  }).on("error", () => undefined);
  turns = openOrganizationTurns(queue, (error) => errors.push(error));
});
afterEach(async () => {
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  const [first] = errors;
  if (first !== undefined) throw first;
});

const add = async (owner: TurnOwner, priority?: number): Promise<void> => {
  const own = priority ?? (await turns.priorityOf(owner));
  await queue.add("turn", owner, { jobId: owner.project, priority: own });
};

/** Projects of an organization that are added one after the other, by names. */
const addAll = async (organization: string, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await add({ project: `${organization}${at}`, organization });
};

const take = async (): Promise<Job<TurnOwner>> => {
  const job = await worker.getNextJob(token, { block: false });
  if (job === undefined) throw new Error("no job waits");
  await turns.beginTurn(job);
  return job;
};

const putBack = async (job: Job<TurnOwner>, delayMs = 0): Promise<void> => {
  await turns.endTurn(job, delayMs > 0);
  await requeue(job, token, delayMs).catch((error: unknown) => {
    if (!isRequeued(error)) throw error;
  });
};

/** Whose turns come next, one at a time. */
const nextTurns = async (count: number): Promise<readonly string[]> => {
  const projects: string[] = [];
  for (let turn = 0; turn < count; turn++) {
    const job = await take();
    projects.push(job.data.project);
    await putBack(job);
  }
  return projects;
};

it("organizations take turns, and the projects of each among themselves", async () => {
  await addAll("a", 4);
  await addAll("b", 1);
  await addAll("c", 2);
  expect(await nextTurns(12)).toEqual([
    ...["a0", "b0", "c0", "a1", "b0", "c1"],
    ...["a2", "b0", "c0", "a3", "b0", "c1"],
  ]);
});

it("the projects of an organization alone take turns in the order in which they came", async () => {
  await addAll("a", 3);
  expect(await nextTurns(7)).toEqual(["a0", "a1", "a2", "a0", "a1", "a2", "a0"]);
});

it("every worker has a job while one organization alone has several", async () => {
  await addAll("a", 3);
  const jobs = [await take(), await take(), await take()];
  expect(jobs.map(({ data }) => data.project)).toEqual(["a0", "a1", "a2"]);
  for (const job of jobs) await putBack(job);
});

it("two organizations have a worker each, however many projects one of these has", async () => {
  await addAll("a", 6);
  await addAll("b", 1);
  const order: string[] = [];
  const active: Job<TurnOwner>[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const job = await take();
    order.push(job.data.project);
    active.push(job);
    const [first] = active;
    if (active.length < 2 || first === undefined) continue;
    await putBack(first);
    active.shift();
  }
  for (const job of active) await putBack(job);
  expect(order.filter((project) => project === "b0").length).toBeGreaterThanOrEqual(9);
});

it("an organization whose jobs are all due at one moment has one turn before another organization", async () => {
  await addAll("a", 6);
  const jobs: Job<TurnOwner>[] = [];
  for (let at = 0; at < 6; at++) jobs.push(await take());
  for (const job of jobs) await putBack(job, 50);
  await wait(100);
  const first = await take();
  await addAll("b", 1);
  const second = await take();
  const third = await take();
  expect([first, second, third].filter(({ data }) => data.project === "b0")).toHaveLength(1);
  for (const job of [first, second, third]) await putBack(job);
});

it("jobs of 0.2.0, without a priority and an organization, are organizations of their own project", async () => {
  await addAll("a", 4);
  for (const project of ["old0", "old1"]) await add({ project }, turnPriority.next);
  expect(await nextTurns(6)).toEqual(["a0", "old0", "old1", "a1", "old0", "old1"]);
});

it("jobs of one organization that are in the wait list together are moved behind its first one", async () => {
  for (const at of [0, 1, 2, 3]) await add({ project: `a${at}`, organization: "a" }, turnPriority.next);
  await addAll("b", 1);
  const projects = await nextTurns(6);
  expect(projects.map(([organization]) => organization)).toEqual(["a", "b", "a", "b", "a", "b"]);
});

it("the first job of an organization without one in the wait list is promoted when the next job is taken", async () => {
  await addAll("a", 3);
  await add({ project: "b0", organization: "b" }, turnPriority.behind);
  const projects = await nextTurns(2);
  expect(projects[1]).toBe("b0");
});

it("organizations share workers of which there are more than organizations", async () => {
  await addAll("a", 8);
  await addAll("b", 3);
  const active: Job<TurnOwner>[] = [];
  for (let worker = 0; worker < 4; worker++) active.push(await take());
  for (let turn = 0; turn < 16; turn++) {
    expect(active.filter(({ data }) => data.organization === "b")).toHaveLength(2);
    const first = active.shift();
    if (first !== undefined) await putBack(first);
    active.push(await take());
  }
  for (const job of active) await putBack(job);
});

it("the worker of a job that ends takes one of the organization with the fewest active ones", async () => {
  await addAll("a", 3);
  await addAll("b", 2);
  await take();
  const ending = await take();
  expect(ending.data.project).toBe("b0");
  await turns.releaseWorker(ending);
  await ending.moveToCompleted(undefined, token, false);
  expect((await take()).data.project).toBe("b1");
});

it("an organization waits while its job is due and no worker looks for one", async () => {
  await addAll("a", 1);
  await putBack(await take());
  await wait(100);
  expect(await queue.getDelayedCount()).toBe(1);
  expect(await turns.longestWaitMs()).toBeGreaterThanOrEqual(90);
});

it("a delayed job counts as one that waits as soon as it is due", async () => {
  await addAll("a", 1);
  await putBack(await take(), 50);
  expect(await turns.longestWaitMs()).toBe(0);
  await wait(100);
  await turns.releaseWorker({ id: "ended", data: { project: "ended" } });
  expect((await queue.getJob("a0"))?.priority).toBe(turnPriority.next);
});

it("spare work that is in the wait list is moved to its priority", async () => {
  const ofProjects = openOrganizationTurns(
    queue,
    (error) => errors.push(error),
    ({ project }) => project !== "spare",
  );
  await add({ project: "spare", organization: "b" }, turnPriority.next);
  await addAll("a", 1);
  await ofProjects.releaseWorker({ id: "ended", data: { project: "ended" } });
  expect((await queue.getJob("spare"))?.priority).toBe(turnPriority.spare);
  expect(await queue.getRanges(["wait", "prioritized"], 0, -1, true)).toEqual(["a0", "spare"]);
});

it("a job without an organization has that of its project from its next turn on", async () => {
  const projects = { project: async () => ({ organizationId: "a" }) };
  await add({ project: "old" }, turnPriority.next);
  const job = await take();
  await addOrganization(projects, job);
  await putBack(job);
  expect((await queue.getJob("old"))?.data).toEqual({ project: "old", organization: "a" });
  const again = await take();
  expect(await turns.priorityOf({ project: "a0", organization: "a" })).toBe(turnPriority.behind);
  await putBack(again);
});

it("work of the lowest priority stays where it is", async () => {
  await add({ project: "spare", organization: "b" }, turnPriority.spare);
  await addAll("a", 2);
  expect(await nextTurns(4)).toEqual(["a0", "a1", "a0", "a1"]);
  expect(await turns.priorityOf({ project: "b0", organization: "b" })).toBe(turnPriority.next);
  expect((await queue.getJob("spare"))?.priority).toBe(turnPriority.spare);
});
