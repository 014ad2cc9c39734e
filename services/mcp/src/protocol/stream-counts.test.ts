import { describe, expect, it } from "@jest/globals";
import { openStreamCounts } from "./stream-counts.ts";

describe("open streams", () => {
  const limits = { perSubject: 2, perProject: 3, total: 5 };

  it("are limited for a subject, for a project with any number of subjects, and in all", () => {
    const streams = openStreamCounts(limits);
    const begun = (project: string, subject: string): boolean =>
      streams.begin(project, subject) !== undefined;
    expect([1, 2, 3].map(() => begun("a", "a/ann"))).toEqual([true, true, false]);
    expect(["bob", "eve"].map((name) => begun("a", `a/${name}`))).toEqual([true, false]);
    expect(["1", "2", "3"].map((name) => begun("b", `b/${name}`))).toEqual([true, true, false]);
    expect(begun("c", "c/1")).toBe(false);
  });

  it("that have ended make room", () => {
    const streams = openStreamCounts({ perSubject: 1, perProject: 1, total: 1 });
    for (let round = 0; round < 3; round++) {
      const end = streams.begin("a", "a/ann");
      expect(streams.begin("b", "b/bob")).toBeUndefined();
      end?.();
    }
    expect(streams.begin("b", "b/bob")).toBeDefined();
  });
});
