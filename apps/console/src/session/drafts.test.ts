import { describe, expect, it } from "@jest/globals";
import { Drafts } from "./drafts.ts";

describe("drafts", () => {
  it("are kept by key until they are deleted, and announce what changes", () => {
    const drafts = new Drafts<string>();
    const sizes: number[] = [];
    const unsubscribe = drafts.subscribe(() => sizes.push(drafts.size));
    drafts.set("__proto__", "one");
    drafts.set("b", "two");
    drafts.delete("absent");
    expect(drafts.get("__proto__")).toBe("one");
    drafts.delete("b");
    drafts.clear();
    unsubscribe();
    drafts.set("c", "three");
    expect(sizes).toEqual([1, 2, 1, 0]);
  });
});
