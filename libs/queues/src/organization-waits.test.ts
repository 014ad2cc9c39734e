import { beforeEach, expect, it } from "@jest/globals";
import { type FakeData, FakeQueue } from "../test/fake-queue.ts";
import { openOrganizationTurns, type OrganizationTurns } from "./organization-turns.ts";
import { turnPriority } from "./turn-priorities.ts";

const minuteMs = 60_000;

let queue: FakeQueue;
let clock: number;
let turns: OrganizationTurns<FakeData>;

beforeEach(() => {
  queue = new FakeQueue();
  clock = 1;
  turns = openOrganizationTurns(
    queue,
    (error) => {
      throw error;
    },
    ({ isSpare = false }) => !isSpare,
    () => clock,
  );
});

/** Adds jobs of projects, each with the organization of its first letter. */
const add = (priority: number, ...projects: string[]): void => {
  for (const project of projects) queue.add({ project, organization: project.slice(0, 1) }, priority);
};

const takeTurn = async (): Promise<void> => {
  const job = queue.take();
  await turns.beginTurn(job);
  await turns.endTurn(job);
  queue.putBack(job.data.project);
};

/** The longest wait in minutes, some minutes later. */
const minutesAfter = async (minutes: number): Promise<number> => {
  clock += minutes * minuteMs;
  return (await turns.longestWaitMs()) / minuteMs;
};

it("the projects of an organization that take turns may wait for each other for any time", async () => {
  add(turnPriority.next, "a0");
  add(turnPriority.behind, ...Array.from({ length: 20 }, (_, at) => `a${at + 1}`));
  for (let turn = 0; turn < 20; turn++) {
    await takeTurn();
    expect(await minutesAfter(1)).toBe(0);
  }
});

it("a project alone has no wait while it has turns, nor one whose job has ended and was added anew", async () => {
  add(turnPriority.next, "a0");
  for (let turn = 0; turn < 3; turn++) {
    await takeTurn();
    expect(await minutesAfter(1)).toBe(0);
  }
  queue.end("a0");
  add(turnPriority.next, "a0");
  expect(await minutesAfter(1)).toBe(0);
});

it("an organization without turns waits from the first look on, whatever turns others have", async () => {
  add(turnPriority.next, "b0", "a0");
  const job = queue.take();
  expect(await minutesAfter(5)).toBe(0);
  expect(await minutesAfter(16)).toBe(16);
  add(turnPriority.behind, "b1");
  expect(await minutesAfter(1)).toBe(17);
  queue.end(job.data.project);
  expect(await minutesAfter(1)).toBe(18);
  queue.take();
  expect(await minutesAfter(1)).toBe(2);
});

it("an organization waits also while its only worker makes no progress", async () => {
  add(turnPriority.next, "a0");
  add(turnPriority.behind, "a1");
  queue.take();
  expect(await minutesAfter(1)).toBe(0);
  expect(await minutesAfter(16)).toBe(16);
});

it("spare work may wait for any time", async () => {
  queue.add({ project: "a0", organization: "a", isSpare: true }, turnPriority.behind);
  expect(await minutesAfter(1)).toBe(0);
  expect(await minutesAfter(16)).toBe(0);
});
