import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  tenant,
  books,
  question,
  kbac,
  save,
  bearer,
  useLibraryTown,
} from "../../src/fixtures/library-town.ts";
import { capture } from "../../src/requests/capture.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { searchResource, trySearchResource } from "../../src/requests/search-resource.ts";

useLibraryTown();

describe("search pages", () => {
  const buildRequest = (page?: object) => ({ ...question("ida", "ALL", "ignored"), page });
  beforeAll(() => save(kbac("ALL", "MATCH (subject:Reader), (resource:Book)")));

  it("of any size walk the same results", async () => {
    const { results: all, page: none } = await searchResource(buildRequest(), tenant);
    expect(none).toBeUndefined();
    expect(all).toEqual(books.map(({ id }) => ({ type: "Book", id })));
    for (const limit of [1, 2, 3, 7, 8, 1_000, 5_000]) {
      const walked: object[] = [];
      let token: string | undefined;
      do {
        const { results, page } = await searchResource(
          buildRequest({ limit, ...(token ? { token } : {}) }),
          tenant,
        );
        expect(page?.count).toBe(results.length);
        expect(results.length).toBeLessThanOrEqual(limit);
        walked.push(...results);
        token = page?.next_token;
      } while (token);
      expect(walked).toEqual(all);
    }
  });

  it("have page as first member, and a total only where nothing else is asked for", async () => {
    const answer = await trySearchResource(buildRequest({}), tenant);
    expect(answer.text).toMatch(/^\{"page":/);
    expect(answer.body).toMatchObject({ page: { next_token: "", count: 7 } });
    const counted = await searchResource(buildRequest({ limit: 0 }), tenant);
    expect(counted).toEqual({
      page: { next_token: expect.stringMatching(/./), count: 0, total: 7 },
      results: [],
    });
  });

  it("belong to one question and one size", async () => {
    const { page } = await searchResource(buildRequest({ limit: 2 }), tenant);
    const token = page?.next_token;
    expect((await searchResource(buildRequest({ token }), tenant)).results.map(({ id }) => id)).toEqual([
      "book-2",
      "book-3",
    ]);
    const others = [
      buildRequest({ token, limit: 3 }),
      { ...buildRequest({ token, limit: 2 }), subject: { type: "Reader", id: "jon" } },
      { ...buildRequest({ token, limit: 2 }), context: { input_params: { x: 1 } } },
      buildRequest({ token: `${token}x`, limit: 2 }),
      buildRequest({ token: token?.replace(/^./, (first) => (first === "A" ? "B" : "A")), limit: 2 }),
    ];
    for (const each of others) requireRefusal(await trySearchResource(each, tenant), 400);
    requireRefusal(await trySearchResource(buildRequest({ token, limit: 2 }), await bearer("ida")), 400);
  });
});

describe("large searches", () => {
  /** Ids whose order differs between code points, UTF-16 and dictionaries. */
  const odd = ["Z", "a", "\uffee", "\u{1f600}", "é", "e\u0301", "10", "9", " ", "~"];
  const ids = [...Array.from({ length: 1_005 }, (_, at) => `leaf-${at}`), ...odd];
  const codePoints = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const byCodePoint = (left: string, right: string): number => {
    const [one, other] = [codePoints(left), codePoints(right)];
    const at = one.findIndex((point, index) => point !== other[index]);
    return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
  };
  const sorted = ids.toSorted(byCodePoint);
  const buildRequest = (page?: object) => ({
    subject: { type: "Reader", id: "ida" },
    action: { name: "TURN" },
    resource: { type: "Leaf" },
    ...(page === undefined ? {} : { page }),
  });
  const turn = (cypher: string) => ({ ...kbac("TURN", cypher), resource: { type: "Leaf" } });

  beforeAll(async () => {
    const nodes = ids.map((external_id, at) => ({
      type: "Leaf",
      external_id,
      properties: [{ type: "side", value: at % 3 }],
    }));
    await capture({ nodes, relationships: [] }, tenant);
    // Two candidates that overlap: what either grants is found once.
    await save(turn("MATCH (subject:Reader), (resource:Leaf) WHERE resource.property.side < 2"));
    await save(turn("MATCH (subject:Reader), (resource:Leaf) WHERE resource.property.side > 0"));
  }, 30_000);

  it("give the first 1,000 in the order of code points, and say that there are more", async () => {
    const { results, page } = await searchResource(buildRequest(), tenant);
    expect(results.map(({ id }) => id)).toEqual(sorted.slice(0, 1_000));
    expect(page).toMatchObject({ count: 1_000, next_token: expect.stringMatching(/./) });
    const rest = await searchResource(buildRequest({ token: page?.next_token }), tenant);
    expect(rest.results.map(({ id }) => id)).toEqual(sorted.slice(1_000));
    expect(rest.page?.next_token).toBe("");
  });

  it("count what they find once", async () => {
    expect((await searchResource(buildRequest({ limit: 0 }), tenant)).page?.total).toBe(ids.length);
  });

  it("go on in the same order in small pages", async () => {
    const tail = sorted.slice(-12);
    const walked: string[] = [];
    let { page } = await searchResource(buildRequest({ limit: sorted.length - tail.length }), tenant);
    // The limit was cut to 1,000, which the token remembers.
    const rest = await searchResource(buildRequest({ token: page?.next_token }), tenant);
    expect(rest.results.map(({ id }) => id)).toEqual(sorted.slice(1_000));
    ({ page } = await searchResource(buildRequest({ limit: 250 }), tenant));
    for (let token = page?.next_token; token;) {
      const next = await searchResource(buildRequest({ token }), tenant);
      walked.push(...next.results.map(({ id }) => id));
      token = next.page?.next_token;
    }
    expect(walked).toEqual(sorted.slice(250));
  });
});
