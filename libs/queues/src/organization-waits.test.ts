import { beforeEach, expect, it } from "@jest/globals";
import { type FakeData, FakeQueue } from "../test/fake-queue.ts";
import { openOrganizationTurns, type OrganizationTurns } from "./organization-turns.ts";
import { turnPriority } from "./turn-priorities.ts";

const minuteMs = 60_000;

let queue: FakeQueue;
let clock: number;
let turns: OrganizationTurns<FakeData>;

const openProcess = (): OrganizationTurns<FakeData> =>
  openOrganizationTurns(
    queue,
    (error) => {
      throw error;
    },
    ({ isSpare = false }) => !isSpare,
    () => clock,
  );

beforeEach(() => {
  clock = 1;
  queue = new FakeQueue(() => clock);
  turns = openProcess();
});

/** Adds jobs of projects, each with the organization of its first letter. */
const add = (priority: number, ...projects: string[]): void => {
  for (const project of projects) queue.add({ project, organization: project.slice(0, 1) }, priority);
};

const takeTurn = async (pauseMs = 0): Promise<void> => {
  const job = queue.take();
  await turns.beginTurn(job);
  await turns.endTurn(job, pauseMs > 0);
  queue.putBack(job.data.project, pauseMs);
};

const longestWait = async (of = turns): Promise<number> => (await of.longestWaitMs()) / minuteMs;

/** The longest wait in minutes, some minutes later. */
const minutesAfter = async (minutes: number): Promise<number> => {
  clock += minutes * minuteMs;
  return longestWait();
};

it("the projects of an organization that take turns may wait for each other for any time", async () => {
  add(turnPriority.next, "a0");
  add(turnPriority.behind, ...Array.from({ length: 20 }, (_, at) => `a${at + 1}`));
  for (let turn = 0; turn < 25; turn++) {
    await takeTurn();
    expect(await minutesAfter(1)).toBe(1);
  }
});

it("the jobs of an organization that end with their first turn may wait for each other for any time", async () => {
  add(turnPriority.next, "a0");
  add(turnPriority.behind, ...Array.from({ length: 20 }, (_, at) => `a${at + 1}`));
  expect(await minutesAfter(1)).toBe(1);
  for (let turn = 0; turn < 20; turn++) {
    queue.end(queue.take().data.project);
    expect(await minutesAfter(1)).toBe(0);
  }
});

it("a project alone waits since its turn, or since its job was added again", async () => {
  add(turnPriority.next, "a0");
  for (let turn = 0; turn < 3; turn++) {
    await takeTurn();
    expect(await minutesAfter(1)).toBe(1);
  }
  queue.end(queue.take().data.project);
  clock += minuteMs;
  add(turnPriority.next, "a0");
  expect(await minutesAfter(1)).toBe(1);
});

it("an organization without turns waits, whatever turns others have and whichever of its jobs is the first", async () => {
  add(turnPriority.next, "b0", "a0");
  const job = queue.take();
  expect(await minutesAfter(5)).toBe(5);
  expect(await minutesAfter(16)).toBe(21);
  add(turnPriority.behind, "b1");
  await (await queue.getJob("a0"))?.changePriority({ priority: turnPriority.behind });
  add(turnPriority.next, "a1");
  expect(await minutesAfter(1)).toBe(22);
  queue.end(job.data.project);
  expect(await minutesAfter(1)).toBe(23);
  add(turnPriority.behind, "a2");
  expect([queue.take(), queue.take(), queue.take()].map(({ id }) => id)).toEqual(["a1", "b1", "a0"]);
  expect(await minutesAfter(1)).toBe(1);
});

it("an organization waits also while its only worker makes no progress", async () => {
  add(turnPriority.next, "a0");
  add(turnPriority.behind, "a1");
  queue.take();
  expect(await minutesAfter(1)).toBe(1);
  expect(await minutesAfter(16)).toBe(17);
});

it("an organization waits while its jobs are due and no worker looks for one", async () => {
  add(turnPriority.next, "a0");
  await takeTurn();
  expect(await minutesAfter(16)).toBe(16);
  queue.take();
  expect(await longestWait()).toBe(0);
});

it("an organization does not wait while its jobs pause", async () => {
  add(turnPriority.next, "a0");
  await takeTurn(20 * minuteMs);
  expect(await minutesAfter(16)).toBe(0);
});

it("a process that has just started knows how long organizations have waited", async () => {
  add(turnPriority.next, "a0", "b0");
  add(turnPriority.behind, "a1", "a2");
  clock += 20 * minuteMs;
  await takeTurn();
  clock += minuteMs;
  // The other organization had a turn a minute ago, though some of its jobs wait as long.
  expect(await longestWait(openProcess())).toBe(21);
  expect(queue.take().id).toBe("b0");
  expect(await longestWait(openProcess())).toBe(1);
});

it("an organization that one look misses waits as before", async () => {
  add(turnPriority.next, "a0");
  expect(await minutesAfter(16)).toBe(16);
  queue.wait.pop();
  expect(await minutesAfter(1)).toBe(0);
  queue.wait.push("a0");
  expect(await minutesAfter(1)).toBe(18);
});

it("spare work may wait for any time", async () => {
  queue.add({ project: "a0", organization: "a", isSpare: true }, turnPriority.behind);
  expect(await minutesAfter(1)).toBe(0);
  expect(await minutesAfter(16)).toBe(0);
});
