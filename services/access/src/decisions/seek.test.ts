import { describe, expect, it } from "@jest/globals";
import { compareText } from "@ikg/policy-core";
import { type IdRange, mergeAscending, seekAfter } from "./seek.ts";

/** Sorts by code point and compares with the cursor by UTF-16 unit, as the database does. */
const database =
  (ids: readonly string[]) =>
  (after: string, limit: number): Promise<IdRange> =>
    Promise.resolve({
      ids: ids
        .filter((id) => id > after)
        .toSorted(compareText)
        .slice(0, limit),
    });

describe("going on after an id", () => {
  const ids = ["a", "b", "\uFFFD", "\uFFFDz", "\u{1F600}", "\u{1F600}a", "ab", "x\uFF01", "x\u{1F600}", "x"];

  it.each([1, 2, 3, 20])("walks all ids in code-point order, %d at a time", async (limit) => {
    const walked: string[] = [];
    for (let after = ""; ;) {
      const { ids: page } = await seekAfter(database(ids), after, limit);
      walked.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last;
    }
    expect(walked).toEqual(ids.toSorted(compareText));
  });
});

describe("merging the finds of several policies", () => {
  it("keeps each id once, in order, and no more than the limit", () => {
    const lists = [{ ids: ["a", "c", "e"] }, { ids: ["b", "c"] }];
    expect(mergeAscending(lists, 10)).toEqual({ ids: ["a", "b", "c", "e"] });
    expect(mergeAscending(lists, 2)).toEqual({ ids: ["a", "b"] });
    expect(mergeAscending([{ ids: ["a", "b"] }], 1)).toEqual({ ids: ["a"] });
    expect(mergeAscending([], 5)).toEqual({ ids: [] });
  });

  it("goes no further than the one that had to stop", () => {
    const lists = [{ ids: ["a", "c"], until: "d" }, { ids: ["b", "e"] }];
    expect(mergeAscending(lists, 10)).toEqual({ ids: ["a", "b", "c"], until: "d" });
  });
});
