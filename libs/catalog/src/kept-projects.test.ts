import { describe, expect, it } from "@jest/globals";
import { openKeptProjects } from "./kept-projects.ts";

describe("projects in memory", () => {
  it("are dropped by their bytes, the one that was not used for longest first", () => {
    const kept = openKeptProjects({ bytes: 100, projects: 10 });
    expect(kept.keep("a", "one", 40)).toEqual([]);
    expect(kept.keep("b", "one", 40)).toEqual([]);
    kept.use("a");
    expect(kept.keep("c", "one", 40)).toEqual(["b"]);
    expect(kept.keep("a", "one", 20)).toEqual([]);
    expect(kept.keep("d", "one", 40)).toEqual([]);
    kept.drop("d");
    expect(kept.keep("e", "one", 40)).toEqual([]);
  });

  it("are dropped for the organization that holds most, and leave those of others alone", () => {
    const kept = openKeptProjects({ bytes: 100, projects: 1_000 });
    kept.keep("light", "small", 10);
    const dropped = [];
    for (let at = 0; at < 50; at++) dropped.push(...kept.keep(`p${at}`, "large", 30));
    expect(dropped).toHaveLength(47);
    expect(dropped).not.toContain("light");
    // It grows within its own share and takes what the large one holds beyond that.
    expect(kept.keep("light2", "small", 30)).toEqual(["p47"]);
  });

  it("are dropped by their number in the same way", () => {
    const kept = openKeptProjects({ bytes: 1e9, projects: 3 });
    kept.keep("light", "small", 1);
    const dropped = [];
    for (let at = 0; at < 5; at++) dropped.push(...kept.keep(`p${at}`, "large", 1));
    expect(dropped).toEqual(["p0", "p1", "p2"]);
  });

  it("keep one that is larger than all may be, alone", () => {
    const kept = openKeptProjects({ bytes: 100, projects: 3 });
    kept.keep("a", "one", 10);
    expect(kept.keep("b", "two", 500)).toEqual(["a"]);
    expect(kept.keep("c", "one", 10)).toEqual(["b"]);
  });
});
