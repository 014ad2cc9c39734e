import { describe, expect, it } from "@jest/globals";
import { openStreamCounts } from "./stream-counts.ts";

describe("open streams", () => {
  const limits = { perSubject: 2, perProject: 3, total: 5 };
  const projectOf = (id: string, organizationId = `organization of ${id}`) => ({ id, organizationId });

  it("are limited for a subject, for a project with any number of subjects, and in all", () => {
    const streams = openStreamCounts(limits);
    const begun = (project: string, subject: string): boolean =>
      streams.begin(projectOf(project), subject) !== undefined;
    expect([1, 2, 3].map(() => begun("a", "a/ann"))).toEqual([true, true, false]);
    expect(["bob", "eve"].map((name) => begun("a", `a/${name}`))).toEqual([true, false]);
    expect(["1", "2", "3"].map((name) => begun("b", `b/${name}`))).toEqual([true, true, false]);
    expect(begun("c", "c/1")).toBe(false);
  });

  it("of all projects of an organization leave some for others", () => {
    const streams = openStreamCounts({ perSubject: 1, perProject: 2, total: 8 });
    const begun = (project: string, organization?: string): boolean =>
      streams.begin(projectOf(project, organization), project) !== undefined;
    const many = Array.from({ length: 7 }, (_, i) => begun(`p${i}`, "many"));
    expect(many).toEqual([true, true, true, true, true, true, false]);
    expect(begun("a")).toBe(true);
  });

  it("that have ended make room", () => {
    const streams = openStreamCounts({ perSubject: 1, perProject: 1, total: 1 });
    for (let round = 0; round < 3; round++) {
      const end = streams.begin(projectOf("a"), "a/ann");
      expect(streams.begin(projectOf("b"), "b/bob")).toBeUndefined();
      end?.();
    }
    expect(streams.begin(projectOf("b"), "b/bob")).toBeDefined();
  });
});
