import { describe, expect, it } from "@jest/globals";
import { maxSearchPage } from "@ikg/contracts";
import { pageTokens } from "./page-token.ts";
import { type PagedSearch, pageOf } from "./paging.ts";
import type { IdRange } from "./seek.ts";

const tokens = pageTokens(Buffer.alloc(32));
const evaluatedNothing = new Error("nothing could be evaluated");

/** A search that finds these ranges, one by one. */
const paging = (ranges: readonly IdRange[], deadline = Infinity) => {
  const left = [...ranges];
  const sliced: boolean[] = [];
  const search: PagedSearch = {
    find: async (_after, _limit, isSliced) => {
      sliced.push(isSliced);
      return left.shift() ?? { ids: [] };
    },
    tokens,
    scope: "scope",
    explainNothing: () => {
      throw evaluatedNothing;
    },
    deadline,
  };
  return { search, sliced };
};

const tokenOf = ({ page }: Awaited<ReturnType<typeof pageOf>>): string => page?.next_token ?? "";

describe("a search without results", () => {
  it("is an error when nothing could be evaluated, on its last page", async () => {
    await expect(pageOf({ limit: 10 }, paging([]).search)).rejects.toBe(evaluatedNothing);
    const { search } = paging([{ ids: [], until: "b" }]);
    const first = await pageOf({ limit: 10 }, search);
    expect(first).toMatchObject({ found: [], complete: false });
    await expect(pageOf({ token: tokenOf(first) }, search)).rejects.toBe(evaluatedNothing);
  });

  it("is none because its last page is empty", async () => {
    const { search } = paging([
      { ids: ["a"], until: "b" },
      { ids: [], until: "c" },
    ]);
    const first = await pageOf({ limit: 10 }, search);
    const second = await pageOf({ token: tokenOf(first) }, search);
    expect(await pageOf({ token: tokenOf(second) }, search)).toEqual({
      page: { next_token: "", count: 0 },
      found: [],
      complete: true,
    });
  });
});

describe("a count", () => {
  const whole: IdRange = { ids: Array.from({ length: maxSearchPage }, (_, index) => `r${index}`) };

  it("is that of all pages", async () => {
    const { search } = paging([whole, { ids: ["s"] }]);
    expect(await pageOf({ limit: 0 }, search)).toMatchObject({
      page: { count: 0, total: maxSearchPage + 1 },
      complete: true,
    });
  });

  it("ends with its time, and leaves the statements that are quick", async () => {
    const { search, sliced } = paging([whole, whole], 0);
    const counted = await pageOf({ limit: 0 }, search);
    expect(counted).toEqual({
      page: { next_token: expect.stringMatching(/./), count: 0 },
      found: [],
      complete: false,
    });
    await pageOf({ token: tokenOf(counted) }, search);
    expect(sliced).toEqual([false, false]);
  });
});
