import { describe, expect, it } from "@jest/globals";
import { openKnownNames } from "./known-names.ts";
import { noNames } from "./name-use.ts";

const types = (...names: string[]) => ({ ...noNames(), node_types: new Set(names) });

describe("openKnownNames", () => {
  it("adds names to those that are known of a project", () => {
    const known = openKnownNames();
    expect(known.of("a")).toEqual(noNames());
    known.add("a", types("Person"));
    known.add("a", types("Car"));
    expect([...known.of("a").node_types]).toEqual(["Person", "Car"]);
  });

  it("evicts the project that was not used for longest, once there are more names than may be kept", () => {
    const known = openKnownNames(9);
    known.add("a", types("A1", "A2"));
    known.add("b", types("B1", "B2"));
    known.of("a");
    known.add("c", types("C1", "C2"));
    expect([known.of("a").node_types.size, known.of("b").node_types.size]).toEqual([2, 2]);
    known.add("c", types("C3"));
    expect(["a", "b", "c"].map((key) => known.of(key).node_types.size)).toEqual([0, 2, 3]);
  });
});
