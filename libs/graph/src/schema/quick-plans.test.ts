import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { untilQuickPlans } from "./quick-plans.ts";

it("a start waits after a change of the schema until three statements in succession are planned quickly, each of a text of its own", async () => {
  const durations = [400, 0, 0, 300, 0, 0, 0];
  const texts: string[] = [];
  await untilQuickPlans({
    read: async (text) => {
      texts.push(text);
      await wait(durations[texts.length - 1] ?? 0);
      return [];
    },
  });
  expect(texts).toHaveLength(durations.length);
  expect(new Set(texts).size).toBe(texts.length);
});
