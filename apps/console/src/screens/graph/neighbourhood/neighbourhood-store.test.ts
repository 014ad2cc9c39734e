import { describe, expect, it } from "@jest/globals";
import type { CursorPage, Neighbour } from "@ikg/client";
import { nodeKey } from "./neighbourhood.ts";
import { NeighbourhoodStore, type PageRequest } from "./neighbourhood-store.ts";

const node = (external_id: string) => ({ type: "Person", external_id });

const neighbour = (id: string): Neighbour => ({
  relationship: { type: "KNOWS", direction: "out", properties: [] },
  node: { ...node(id), id: "gid:x", is_identity: false, labels: [] },
});

const page = (names: readonly string[], cursor?: string): CursorPage<Neighbour> => ({
  items: names.map(neighbour),
  cursor,
});

/** A store whose pages the test answers one by one. */
const openStore = () => {
  const requests: (PageRequest & PromiseWithResolvers<CursorPage<Neighbour>>)[] = [];
  const store = new NeighbourhoodStore(node("ann"), (request) => {
    const answer = Promise.withResolvers<CursorPage<Neighbour>>();
    requests.push({ ...request, ...answer });
    return answer.promise;
  });
  const answer = async (at: number, value: CursorPage<Neighbour> | Error) => {
    if (value instanceof Error) requests[at]?.reject(value);
    else requests[at]?.resolve(value);
    await new Promise((done) => setImmediate(done));
  };
  const of = (id: string) => {
    const found = store.get().get(nodeKey(node(id)));
    if (found === undefined) return undefined;
    return [found.status, found.neighbours.map((each) => each.node.external_id).join(" ")];
  };
  return { store, requests, answer, of };
};

const all = { direction: undefined, types: [] } as const;

describe("the neighbourhood of a node", () => {
  it("is read page by page, and goes on after the last one that was read", async () => {
    const { store, requests, answer, of } = openStore();
    store.open(all);
    expect(of("ann")).toEqual(["loading", ""]);
    await answer(0, page(["bob"], "next"));
    expect(of("ann")).toEqual(["ready", "bob"]);
    store.more(node("ann"));
    expect(requests[1]?.cursor).toBe("next");
    await answer(1, page(["cem"]));
    expect(of("ann")).toEqual(["ready", "bob cem"]);
    store.more(node("ann"));
    expect(requests).toHaveLength(2);
  });

  it("keeps what was read when a page fails, and reads that page again", async () => {
    const { store, requests, answer, of } = openStore();
    store.open(all);
    await answer(0, page(["bob"], "next"));
    store.more(node("ann"));
    await answer(1, new Error("away"));
    expect(of("ann")).toEqual(["failed", "bob"]);
    store.retryFailed();
    expect(requests[2]?.cursor).toBe("next");
    await answer(2, page(["cem"]));
    expect(of("ann")).toEqual(["ready", "bob cem"]);
  });

  it("reads what is expanded again by other filters, and ignores late answers of the former ones", async () => {
    const { store, requests, answer, of } = openStore();
    store.open(all);
    await answer(0, page(["bob"]));
    store.expand(node("bob"));
    store.open({ direction: "out", types: ["KNOWS"] });
    expect(requests.slice(2).map((each) => [each.node.external_id, each.direction, each.types])).toEqual([
      ["ann", "out", ["KNOWS"]],
      ["bob", "out", ["KNOWS"]],
    ]);
    expect(requests[1]?.signal.aborted).toBe(true);
    await answer(1, page(["late"]));
    expect(of("bob")).toEqual(["loading", ""]);
  });

  it("collapses a node with all that came by it, but never the first one", async () => {
    const { store, answer, of } = openStore();
    store.open(all);
    await answer(0, page(["bob", "cem"]));
    store.expand(node("bob"));
    await answer(1, page(["dan"]));
    store.expand(node("dan"));
    await answer(2, page(["eve"]));
    store.expand(node("cem"));
    await answer(3, page([]));
    store.collapse(node("bob"));
    expect([of("bob"), of("dan")]).toEqual([undefined, undefined]);
    expect(of("cem")).toEqual(["ready", ""]);
    store.collapse(node("ann"));
    expect(of("ann")).toEqual(["ready", "bob cem"]);
  });
});
