import { describe, expect, it } from "@jest/globals";
import { Counter, Gauge, Registry } from "prom-client";
import { openProjectSeries } from "./project-series.ts";

const open = (most: number) => {
  let now = 0;
  const registry = new Registry();
  const series = openProjectSeries(most, () => now);
  const counterOf = (name: string, labelNames: string[]) =>
    new Counter({ name, help: name, labelNames, registers: [registry] });
  const gauge = new Gauge({ name: "g", help: "g", labelNames: ["project"], registers: [registry] });
  const count = series.counts(counterOf("c", ["project"]));
  const refuse = series.counts(counterOf("r", ["project", "limit"]), "limit");
  const lines = async () =>
    (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return { series, gauge, count, refuse, lines, pass: (ms: number) => void (now += ms) };
};

describe("series of projects", () => {
  it("are those of the first ones, and one of all others", async () => {
    const { count, refuse, lines } = open(2);
    count("a");
    count("b", 2.5);
    count("c", 3);
    count("d");
    refuse("a", 1, "sessions");
    refuse("c", 1, "sessions");
    refuse("d", 1, "sessions");
    expect(await lines()).toEqual([
      'c{project="a"} 1',
      'c{project="b"} 2.5',
      'c{project="other"} 4',
      'r{project="a",limit="sessions"} 1',
      'r{project="other",limit="sessions"} 2',
    ]);
  });

  it("change to those of a project that is used more, and every series of the other one goes", async () => {
    const { count, refuse, lines, pass } = open(2);
    for (let used = 0; used < 10; used++) count("a");
    count("b");
    refuse("b", 1, "sessions");
    refuse("b", 1, "requests_per_second");
    for (let used = 0; used < 9; used++) count("c");
    pass(60_000);
    count("c", 5);
    count("b");
    expect(await lines()).toEqual(['c{project="a"} 10', 'c{project="other"} 10', 'c{project="c"} 5']);
  });

  it("do not change hands between projects that are used alike", async () => {
    const { count, lines, pass } = open(1);
    for (let minute = 0; minute < 20; minute++) {
      for (let used = 0; used < 10; used++) for (const project of ["a", "b"]) count(project);
      pass(60_000);
    }
    expect(await lines()).toEqual(['c{project="a"} 200', 'c{project="other"} 200']);
  });

  it("are bounded, whatever projects there are, and there may be none", async () => {
    for (const most of [0, 3]) {
      const { count, lines, pass } = open(most);
      for (let project = 0; project < 5_000; project++) {
        count(`p${project}`);
        pass(500);
      }
      expect((await lines()).length).toBeLessThanOrEqual(most + 1);
    }
  });

  it("of a gauge are those with the most", async () => {
    const { series, gauge, lines } = open(2);
    series.show(gauge, new Map([["z", 9], ["a", 1], ["b", 7], ["c", 5]])); // prettier-ignore
    expect(await lines()).toEqual(['g{project="z"} 9', 'g{project="b"} 7', 'g{project="other"} 6']);
    series.show(gauge, new Map([["c", 5]]));
    expect(await lines()).toEqual(['g{project="c"} 5']);
  });
});
