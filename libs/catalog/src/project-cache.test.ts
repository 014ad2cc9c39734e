import { describe, expect, it } from "@jest/globals";
import { openProjectCache } from "./project-cache.ts";

describe("projects in memory", () => {
  it("are dropped by their bytes, the one that was not used for longest first", () => {
    const cache = openProjectCache({ bytes: 100, projects: 10 });
    expect(cache.keep("a", "one", 40)).toEqual([]);
    expect(cache.keep("b", "one", 40)).toEqual([]);
    cache.use("a");
    expect(cache.keep("c", "one", 40)).toEqual(["b"]);
    expect(cache.keep("a", "one", 20)).toEqual([]);
    expect(cache.keep("d", "one", 40)).toEqual([]);
    cache.drop("d");
    expect(cache.keep("e", "one", 40)).toEqual([]);
  });

  it("are dropped for the organization that holds most, and leave those of others alone", () => {
    const cache = openProjectCache({ bytes: 100, projects: 1_000 });
    cache.keep("light", "small", 10);
    const dropped = [];
    for (let at = 0; at < 50; at++) dropped.push(...cache.keep(`p${at}`, "large", 30));
    expect(dropped).toHaveLength(47);
    expect(dropped).not.toContain("light");
    // It grows within its own share and takes what the large one holds beyond that.
    expect(cache.keep("light2", "small", 30)).toEqual(["p47"]);
  });

  it("are dropped by their number in the same way", () => {
    const cache = openProjectCache({ bytes: 1e9, projects: 3 });
    cache.keep("light", "small", 1);
    const dropped = [];
    for (let at = 0; at < 5; at++) dropped.push(...cache.keep(`p${at}`, "large", 1));
    expect(dropped).toEqual(["p0", "p1", "p2"]);
  });

  it("keep one that is larger than all may be, alone", () => {
    const cache = openProjectCache({ bytes: 100, projects: 3 });
    cache.keep("a", "one", 10);
    expect(cache.keep("b", "two", 500)).toEqual(["a"]);
    expect(cache.keep("c", "one", 10)).toEqual(["b"]);
  });
});
