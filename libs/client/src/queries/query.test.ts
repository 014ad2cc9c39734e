import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { offsetOfPageToken, pageTokenOfOffset } from "@ikg/contracts";
import fc from "fast-check";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import {
  answer,
  type Behaviour,
  closeServers,
  refuse,
  reset,
  TestServer,
  truncate,
} from "../../test/server.ts";
import { Ikg } from "../ikg.ts";

afterEach(closeServers);

const clientOf = ({ baseUrl }: TestServer): Ikg => new Ikg({ baseUrl, clientKey: "k" });
const row = (at: number) => ({ nodes: { "n.external_id": String(at) } });

/** Answers as the service does: `cut` rows end a page early. */
const serves =
  (total: number, cut: number): Behaviour =>
  (response, request) => {
    const { page_size: size = 100, page_token: token = 0 } = request.json as {
      page_size?: number;
      page_token?: number;
    };
    const from = offsetOfPageToken(token, size);
    const rows = Math.min(size, cut, total - from);
    const data = Array.from({ length: Math.max(0, rows) }, (_, at) => row(from + at));
    const isCut = rows === cut && cut < size && from + rows < total;
    const next = isCut ? { next_page_token: pageTokenOfOffset(from + rows, size) } : {};
    answer(200, { data, ...next })(response, request);
  };

describe("a query that reads", () => {
  it("has every row once, in order, whatever ends its pages", async () => {
    const server = await TestServer.start(answer(500, {}));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        async (total, pageSize, cut) => {
          server.behave(serves(total, cut));
          const rows = await clientOf(server).query("q", {}, { pageSize }).toArray();
          expect(rows).toEqual(Array.from({ length: total }, (_, at) => row(at)));
        },
      ),
      { numRuns: isLongRun() ? 60 : 20 },
    );
  });

  it("of a signed-in person is sent with the token alone, which says who that is", async () => {
    const server = await TestServer.start(serves(1, 10));
    expect(await clientOf(server).withToken("jwt").query("q").toArray()).toEqual([row(0)]);
    const [{ headers, json } = { headers: {}, json: undefined }] = server.received;
    expect([headers.authorization, json]).toEqual(["Bearer jwt", { id: "q", input_params: {} }]);
  });

  it("asks for a second page where a page of the default size is full", async () => {
    const server = await TestServer.start(serves(150, 1_000));
    expect(await clientOf(server).query("q").toArray()).toHaveLength(150);
    expect(server.received.map(({ json }) => json)).toEqual([
      { id: "q", input_params: {} },
      { id: "q", input_params: {}, page_token: 100 },
    ]);
  });

  it.each([
    ["full, and the next one is empty", 100, 1_000, [false, true]],
    ["cut by its bytes", 30, 20, [false, true]],
    ["shorter than it may be", 30, 1_000, [true]],
  ])("says of each page whether it is the last: %s", async (_title, total, cut, expected) => {
    const server = await TestServer.start(serves(total, cut));
    const seen: boolean[] = [];
    for await (const { isLast } of clientOf(server).query("q").pages()) seen.push(isLast);
    expect(seen).toEqual(expected);
  });

  const passing: readonly (readonly [string, Behaviour])[] = [
    ["502", refuse(502, "Bad Gateway")],
    ["503 without Retry-After, as a proxy answers", refuse(503, "upstream connect error")],
    ["504", refuse(504, "Gateway Timeout")],
    ["a reset after the request was sent", reset],
    ["a response that breaks off", truncate],
  ];

  it("is sent once where it could have written before an error", async () => {
    const outcomes = passing.map(async ([title, behaviour]) => {
      const server = await TestServer.start(behaviour, serves(1, 10));
      await expect(clientOf(server).query("q").toArray()).rejects.toThrow();
      await delay(250);
      return [title, server.received.length];
    });
    expect(await Promise.all(outcomes)).toEqual(passing.map(([title]) => [title, 1]));
  });

  it("is repeated after an error where its caller knows that it reads", async () => {
    const outcomes = passing.map(async ([title, behaviour]) => {
      const server = await TestServer.start(behaviour, behaviour, serves(1, 10));
      const rows = clientOf(server).query("q", { model: "dc3" }, { idempotent: true });
      return [title, await rows.toArray(), server.received.length];
    });
    expect(await Promise.all(outcomes)).toEqual(passing.map(([title]) => [title, [row(0)], 3]));
  });

  it("is repeated after an error of a further page, as the first one has not written", async () => {
    const outcomes = passing.map(async ([title, behaviour]) => {
      const server = await TestServer.start(serves(3, 10), behaviour, serves(3, 10));
      const rows = await clientOf(server).query("q", {}, { pageSize: 2 }).toArray();
      return [title, rows.length, server.received.length];
    });
    expect(await Promise.all(outcomes)).toEqual(passing.map(([title]) => [title, 3, 3]));
  });

  for (const status of [429, 503])
    it(`is repeated after ${status} that says when, which is answered before anything is executed`, async () => {
      const refused = refuse(status, "later", { "Retry-After": "0" });
      const server = await TestServer.start(refused, refused, serves(1, 10));
      expect(await clientOf(server).query("q").toArray()).toEqual([row(0)]);
      expect(server.received).toHaveLength(3);
    });

  it("is repeated where nothing listens yet", async () => {
    const former = await TestServer.start(serves(1, 10));
    const { baseUrl } = former;
    await former.close();
    const rows = new Ikg({ baseUrl, clientKey: "k" }).query("q").toArray();
    await delay(150);
    const server = await TestServer.startAt(Number(new URL(baseUrl).port), serves(1, 10));
    expect(await rows).toEqual([row(0)]);
    expect(server.received).toHaveLength(1);
  });

  it("is sent once after a connection that was closed before, which looks like one that was lost", async () => {
    const server = await TestServer.start(serves(1, 10));
    server.refusedConnections = 1;
    await expect(clientOf(server).query("q").toArray()).rejects.toThrow("no response of");
    await delay(250);
    expect(server.received).toHaveLength(0);
  });

  it("is not executed again for a further page where it has written", async () => {
    const written = answer(200, { data: [row(0)] }, { "X-Consistency-Token": "c" });
    const server = await TestServer.start(written);
    expect(await clientOf(server).query("q", {}, { pageSize: 1 }).toArray()).toEqual([row(0)]);
    expect(server.received).toHaveLength(1);
  });

  it("tells which external values are missing, and explains each page", async () => {
    const errors = [{ row: 0, path: "p", resolver: "r", reason: "circuit_open" }];
    const server = await TestServer.start(answer(200, { data: [row(0)], errors, explanation: { rows: {} } }));
    const pages = clientOf(server).query("q", {}, { explain: true, pageBytes: 5_000 }).pages();
    expect((await pages.next()).value).toEqual({
      items: [row(0)],
      errors,
      explanation: { rows: {} },
      isLast: true,
    });
    expect(server.received[0]?.json).toEqual({ id: "q", input_params: {}, page_bytes: 5_000 });
  });
});

describe("a query that writes", () => {
  for (const [title, behaviour] of [
    ["503", refuse(503, "Service Unavailable", { "Retry-After": "0" })],
    ["a reset", reset],
  ] as const)
    it(`is sent once, also after ${title}`, async () => {
      const server = await TestServer.start(behaviour, answer(200, { data: [] }));
      const ann = clientOf(server).as({ type: "Person", id: "ann", token: "t" });
      await expect(ann.execute("sign")).rejects.toThrow();
      await delay(250);
      expect(server.received).toHaveLength(1);
    });

  it("of a session is sent after the writes before it", async () => {
    let [open, most, count] = [0, 0, 0];
    const writes: Behaviour = (response, request) => {
      most = Math.max(most, ++open);
      const token = `t${++count}`;
      setTimeout(() => {
        open--;
        answer(200, { data: [] }, { "X-Consistency-Token": token })(response, request);
      }, 10);
    };
    const server = await TestServer.start(writes);
    const session = clientOf(server).session();
    const ann = session.as({ type: "Person", id: "ann", token: "t" });
    await Promise.all(
      [session, ann, session.withToken("t"), session].map((client) => client.execute("sign")),
    );
    expect([most, session.consistencyToken]).toEqual([1, "t4"]);
  });

  it("of a session is left out when it is aborted before its turn", async () => {
    let [open, most] = [0, 0];
    const slow: Behaviour = (response, request) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        answer(200, { data: [] })(response, request);
      }, 300);
    };
    const server = await TestServer.start(slow);
    const session = clientOf(server).session();
    let hasEnded = false;
    const first = session.execute("sign").then(() => (hasEnded = true));
    const aborted = session.execute("sign", {}, { signal: AbortSignal.timeout(20) });
    const last = session.execute("sign");
    await expect(aborted).rejects.toThrow(/aborted|timeout/i);
    expect(hasEnded).toBe(false);
    await Promise.all([first, last]);
    expect([most, server.received.length]).toEqual([1, 2]);
  });
});
