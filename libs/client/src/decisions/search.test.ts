import { afterEach, describe, expect, it } from "@jest/globals";
import { answer, closeServers, refuse, TestServer } from "../../test/server.ts";
import { Ikg } from "../ikg.ts";

afterEach(closeServers);

const found = (...ids: readonly string[]) => ids.map((id) => ({ type: "Document", id }));
const page = (ids: readonly string[], token?: string, more: object = {}) =>
  answer(200, {
    ...(token !== undefined && { page: { next_token: token, count: ids.length } }),
    results: found(...ids),
    ...more,
  });

const clientOf = ({ baseUrl }: TestServer): Ikg => new Ikg({ baseUrl, clientKey: "k" });

describe("a search", () => {
  it("pages by itself, also past a page that had no time", async () => {
    const unfinished = page([], "t2", { context: { complete: false } });
    const server = await TestServer.start(page(["a", "b"], "t1"), unfinished, refuse(503, "x"), page(["c"]));
    const ann = clientOf(server).as({ type: "Person", id: "ann", token: "jwt" });
    const ids: string[] = [];
    for await (const { id } of ann.resources("READ", "Document", { params: { limit: 3 }, pageSize: 2 }))
      ids.push(id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(server.received.map(({ json }) => (json as { page: object }).page)).toEqual([
      { limit: 2 },
      { limit: 2, token: "t1" },
      { limit: 2, token: "t2" },
      { limit: 2, token: "t2" },
    ]);
    expect(server.received[0]?.json).toEqual({
      subject: { type: "Person", id: "ann" },
      action: { name: "READ" },
      resource: { type: "Document" },
      context: { input_params: { limit: 3 } },
      page: { limit: 2 },
    });
    expect(server.received[0]?.headers.authorization).toBe("Bearer jwt");
  });

  it("tells of each page whether it is complete", async () => {
    const server = await TestServer.start(page(["a"], "t", { context: { complete: false } }), page(["b"]));
    const pages = [];
    for await (const { items, complete } of clientOf(server)
      .subjects("Person", "READ", { type: "Document", id: "d" })
      .pages())
      pages.push([items.length, complete]);
    expect(pages).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  it("requests no page that is not wanted", async () => {
    const server = await TestServer.start(page(["a", "b"], "t1"));
    const ann = clientOf(server).as({ type: "Person", id: "ann" });
    for await (const { id } of ann.resources("READ", "Document")) if (id === "b") break;
    expect(server.received).toHaveLength(1);
  });

  it("ends where the next page token repeats the current one", async () => {
    const server = await TestServer.start(page(["a"], "t"));
    const ann = clientOf(server).as({ type: "Person", id: "ann" });
    await expect(ann.resources("READ", "Document").toArray()).rejects.toThrow("repeats the current one");
    expect(server.received).toHaveLength(2);
  });

  it("has actions with explanations", async () => {
    const explanation = [{ action: "READ", candidates: [], milliseconds: 1 }];
    const server = await TestServer.start(
      answer(200, { results: [{ name: "READ" }], context: { explanation } }),
    );
    const ann = clientOf(server).as({ type: "Person", id: "ann" });
    const pages = ann.actions({ type: "Document", id: "d" }, { explain: true }).pages();
    expect((await pages.next()).value).toEqual({ items: [{ name: "READ" }], complete: true, explanation });
    expect(server.received[0]?.headers["x-explain"]).toBe("true");
  });

  it("refuses a response without results", async () => {
    const server = await TestServer.start(answer(200, {}));
    const ann = clientOf(server).as({ type: "Person", id: "ann" });
    await expect(ann.resources("READ", "Document").toArray()).rejects.toThrow("no results");
  });
});
