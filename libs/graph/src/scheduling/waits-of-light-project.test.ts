import { describe, expect, it } from "@jest/globals";
import { stream, waitsOf } from "../../test/arrivals.ts";
import { simulate } from "../../test/simulation.ts";
import { capacityOf } from "./capacity.ts";

const capacity = capacityOf({ poolSize: 20, heavyStatements: 2 });

describe("a project with few requests beside another one", () => {
  it("does not wait for its pace because the database planned a statement for long", async () => {
    const light = stream(200, 50, {
      at: 100,
      project: "light",
      statementClass: "decision",
      text: "d",
      ms: 3,
    });
    const planned = light.map((each, at) => (at === 0 ? { ...each, ms: 1_000 } : each));
    const heavy = stream(250, 50, { project: "heavy", text: "e", ms: 3 });
    const small = capacityOf({ poolSize: 100, heavyStatements: 1 });
    const outcomes = await simulate([...heavy, ...planned], { capacity: small });
    expect(Math.max(...waitsOf(outcomes, "light"))).toBeLessThan(1_100);
  });

  it.each([30, 90])(
    "is not delayed by its own statements although they take %d ms beside it",
    async (slowMs) => {
      const light = stream(300, 50, { project: "light", statementClass: "decision", text: "d", ms: 4 });
      const beside = light.map((each) => (each.at < 5_000 ? each : { ...each, ms: slowMs }));
      const other = stream(400, 50, { project: "heavy", text: "e", ms: 3 });
      const small = capacityOf({ poolSize: 100, heavyStatements: 1 });
      const outcomes = await simulate([...other, ...beside], { capacity: small });
      // It sends one every 50 ms: with one at a time they would wait for seconds in the end.
      expect(Math.max(...waitsOf(outcomes, "light"))).toBeLessThan(slowMs);
    },
  );

  it.each([150, 600])(
    "is not delayed by its own statements because one of them takes %d ms",
    async (slowMs) => {
      const light = stream(300, 50, { project: "light", statementClass: "decision", text: "d", ms: 4 });
      const paused = light.map((each) =>
        each.at > 0 && each.at % 5_000 === 0 ? { ...each, ms: slowMs } : each,
      );
      const other = stream(400, 50, { project: "heavy", text: "e", ms: 3 });
      const small = capacityOf({ poolSize: 100, heavyStatements: 1 });
      const outcomes = await simulate([...other, ...paused], { capacity: small });
      expect(Math.max(...waitsOf(outcomes, "light"))).toBeLessThan(50);
    },
  );

  it("does not rest because the database paused while it wrote", async () => {
    const light = stream(200, 100, {
      project: "light",
      statementClass: "capture",
      text: "write capture",
      ms: 15,
    });
    const paused = light.map((each) => (each.at === 5_000 ? { ...each, ms: 2_000 } : each));
    const other = stream(400, 50, { project: "heavy", text: "e", ms: 3 });
    const outcomes = await simulate([...other, ...paused], { capacity });
    expect(Math.max(...waitsOf(outcomes, "light"))).toBeLessThan(400);
  });

  it("does not rest because the database paused once", async () => {
    const light = stream(200, 100, { project: "light", statementClass: "decision", text: "d", ms: 4 });
    const paused = light.map((each) => (each.at === 5_000 ? { ...each, ms: 2_000 } : each));
    const other = stream(400, 50, { project: "heavy", text: "e", ms: 3 });
    const outcomes = await simulate([...other, ...paused], { capacity });
    const later = outcomes.filter(({ arrival: { at } }) => at >= 7_500);
    expect(Math.max(...waitsOf(later, "light"))).toBeLessThan(50);
  });
});
