import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { Queue } from "bullmq";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openQueueTurn, type QueueTurn } from "../src/queue-turn.ts";
import { turnPriority } from "../src/turn-priorities.ts";
import { openTestQueue } from "./test-queue.ts";

const turnMs = 50;
const hourMs = 3_600_000;
const errors: Error[] = [];

let queue: Queue<object>;
let turn: QueueTurn;

beforeEach(() => {
  errors.length = 0;
  ({ queue } = openTestQueue<object>());
  turn = openQueueTurn(queue, turnMs, (error) => errors.push(error));
});
afterEach(async () => {
  turn.end();
  await queue.obliterate({ force: true });
  await queue.close();
  const [first] = errors;
  if (first !== undefined) throw first;
});

/** Waits until a turn says so. */
const becomes = (isSo: () => boolean): Promise<boolean> =>
  eventually(isSo, Boolean, { withinMs: 5_000, everyMs: 10 });

it("a turn is over when a job waits, not before it has lasted its time", async () => {
  turn.end();
  await queue.add("turn", {});
  turn = openQueueTurn(queue, 1_000, (error) => errors.push(error));
  await becomes(turn.hasWaiters);
  expect(turn.isOver()).toBe(false);
  await becomes(turn.isOver);
});

it("a turn is over when a delayed job is due, which no worker has moved to those that wait", async () => {
  await queue.add("turn", {}, { delay: hourMs });
  await wait(turnMs * 6);
  expect([turn.isOver(), turn.hasWaiters()]).toEqual([false, false]);
  await queue.add("turn", {}, { delay: 1 });
  await becomes(turn.isOver);
  expect(await queue.getWaitingCount()).toBe(0);
});

it("a turn goes on while jobs of a lower priority wait, which a job that can do nothing lets go first", async () => {
  await queue.add("turn", {}, { priority: turnPriority.spare });
  await becomes(turn.hasWaiters);
  await wait(turnMs * 6);
  expect(turn.isOver()).toBe(false);
});

it("a turn is over when a job waits behind another one of its organization", async () => {
  await queue.add("turn", {}, { priority: turnPriority.spare });
  await queue.add("turn", {}, { priority: turnPriority.behind });
  await becomes(turn.isOver);
});

it("a turn that was ended is over", () => {
  expect([turn.isOver(), turn.hasWaiters()]).toEqual([false, false]);
  turn.end();
  expect([turn.isOver(), turn.hasWaiters()]).toEqual([true, true]);
});
