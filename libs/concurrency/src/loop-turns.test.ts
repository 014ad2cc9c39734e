import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { openLoopTurns } from "./loop-turns.ts";

it("one caller goes on in a turn of the event loop, each in its order", async () => {
  const turn = openLoopTurns();
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 1; slice <= 3; slice++) {
      await turn();
      order.push(`${name}${slice}`);
    }
  };
  const all = Promise.all(["a", "b", "c"].map(work));
  let most = 0;
  for (let before = 0; order.length < 9; before = order.length) {
    await nextTurn();
    most = Math.max(most, order.length - before);
  }
  await all;
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
  expect(most).toBe(1);
});
