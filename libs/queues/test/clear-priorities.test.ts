import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { queueConnection } from "@ikg/service";
import { type Job, type Queue, Worker } from "bullmq";
import { clearPriorities } from "../../../stack/src/data-set/clear-priorities.ts";
import { isRequeued, requeue } from "../src/requeue.ts";
import { turnPriority } from "../src/turn-priorities.ts";
import { openTestQueue } from "./test-queue.ts";

interface TurnData {
  readonly project: string;
}

const token = "test";
const hourMs = 3_600_000;

let queue: Queue<TurnData>;
let worker: Worker<TurnData>;
let clear: () => Promise<number>;

beforeEach(() => {
  const opened = openTestQueue<TurnData>();
  queue = opened.queue;
  worker = new Worker<TurnData>(opened.name, null, {
    connection: queueConnection(opened.redisUrl),
    prefix: "ikg",
    lockDuration: 60_000,
  }).on("error", () => undefined);
  clear = () => clearPriorities(opened.redisUrl, [`ikg:${opened.name}`]);
});
afterEach(async () => {
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
});

const add = async (project: string, priority: number): Promise<void> => {
  await queue.add("turn", { project }, { jobId: project, priority });
};

const take = async (): Promise<Job<TurnData>> => {
  const job = await worker.getNextJob(token, { block: false });
  if (job === undefined) throw new Error("no job waits");
  return job;
};

/** As a build before 0.2.0: a job waits again with the priority that it has. */
const putBack = async (job: Job<TurnData>, delayMs = 0): Promise<void> => {
  await requeue(job, token, delayMs).catch((error: unknown) => {
    if (!isRequeued(error)) throw error;
  });
};

/** The jobs that are taken next, one at a time. */
const nextJobs = async (count: number): Promise<readonly string[]> => {
  const projects: string[] = [];
  for (let at = 0; at < count; at++) {
    const job = await take();
    projects.push(job.data.project);
    await putBack(job);
  }
  return projects;
};

it("jobs that waited behind another one take turns with it, those of a lower priority as well", async () => {
  await add("first", turnPriority.next);
  await add("behind0", turnPriority.behind);
  await add("behind1", turnPriority.behind);
  await add("spare", turnPriority.spare);
  expect(await nextJobs(3)).toEqual(["first", "first", "first"]);
  expect(await clear()).toBe(3);
  expect(await queue.getPrioritizedCount()).toBe(0);
  const projects = await nextJobs(8);
  const round = ["behind0", "behind1", "spare", "first"];
  expect(projects).toEqual([...round, ...round]);
});

it("jobs that are active or delayed meanwhile have no priority when they wait again", async () => {
  await add("later", turnPriority.behind);
  await putBack(await take(), hourMs);
  await add("busy", turnPriority.behind);
  const job = await take();
  await add("first", turnPriority.next);
  expect(await clear()).toBe(0);
  expect((await queue.getJob("later"))?.priority).toBe(turnPriority.next);
  await putBack(job);
  expect(await nextJobs(4)).toEqual(["first", "busy", "first", "busy"]);
});

it("a queue without jobs stays as it is", async () => {
  expect(await clear()).toBe(0);
  expect(await queue.getJobCountByTypes("wait", "prioritized", "delayed", "active")).toBe(0);
});
