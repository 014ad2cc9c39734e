import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "@jest/globals";
import {
  answer,
  type Behaviour,
  closeServers,
  type Received,
  refuse,
  reset,
  TestServer,
  truncate,
} from "../../test/server.ts";
import type { IkgError } from "../errors/ikg-error.ts";
import { Ikg } from "../ikg.ts";
import type { ImportSource } from "./lines.ts";

afterEach(closeServers);

const clientOf = ({ baseUrl }: TestServer): Ikg => new Ikg({ baseUrl, clientKey: "k" });
const node = (at: number) => ({ type: "Person", external_id: `p${at}` });
const nodes = (count: number) => Array.from({ length: count }, (_, at) => node(at));

interface Body {
  readonly nodes: readonly { readonly external_id: string }[];
}
const idsOf = ({ json }: Received): readonly string[] =>
  (json as Body).nodes.map(({ external_id }) => external_id);

const captures: Behaviour = (response, request) =>
  answer(200, { results: idsOf(request).map((id) => ({ id: `gid-${id}` })) })(response, request);

describe("a capture", () => {
  it("sends any number of items, 250 a request and 4 at a time, and has the results in their order", async () => {
    let atOnce = 0;
    let most = 0;
    const late: Behaviour = (response, request) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => (atOnce--, captures(response, request)), 60 - server.received.length * 5);
    };
    const server = await TestServer.start(late);
    const { results, skipped } = await clientOf(server).capture.nodes(nodes(2_101));
    expect(results.map(({ id }) => id)).toEqual(nodes(2_101).map(({ external_id }) => `gid-${external_id}`));
    expect(skipped).toEqual([]);
    expect(server.received.map((each) => idsOf(each).length)).toEqual([...Array<number>(8).fill(250), 101]);
    expect(most).toBe(4);
  });

  it("takes items from a generator, and sends nothing for none", async () => {
    const server = await TestServer.start(captures);
    async function* drawn() {
      await delay(1);
      yield* nodes(3);
    }
    expect((await clientOf(server).capture.nodes(drawn())).results).toHaveLength(3);
    expect(await clientOf(server).capture.nodes([])).toEqual({ results: [], skipped: [] });
    expect(server.received).toHaveLength(1);
  });

  for (const [title, behaviour] of [
    ["503", refuse(503, "x")],
    ["a reset", reset],
    ["a response that breaks off", truncate],
  ] as const)
    it(`is repeated after ${title}: it is idempotent`, async () => {
      const server = await TestServer.start(behaviour, captures);
      expect((await clientOf(server).capture.nodes(nodes(1))).results).toEqual([{ id: "gid-p0" }]);
      expect(server.received.map(({ text }) => text)).toEqual(Array(2).fill(server.received[0]?.text));
    });

  it("names a wrong item by its place among all, and begins no further request", async () => {
    const wrong: Behaviour = (response, request) =>
      idsOf(request).includes("p253")
        ? answer(422, { message: "Unprocessable Entity", errors: ["nodes[3].type: no"] })(response, request)
        : setTimeout(() => captures(response, request), 30);
    const server = await TestServer.start(wrong);
    const error = (await clientOf(server)
      .capture.nodes(nodes(5_000), { concurrency: 2 })
      .catch((failure: unknown) => failure)) as IkgError;
    expect(error.errors).toEqual(["nodes[253].type: no"]);
    expect([error.code, error.status]).toEqual(["unprocessable", 422]);
    expect(server.received.length).toBeLessThanOrEqual(3);
  });

  it("counts skipped items among all", async () => {
    const skips: Behaviour = (response, request) => {
      const { relationships } = request.json as { relationships: unknown[] };
      const skipped = [{ index: 1, reason: "target: node does not exist" }];
      answer(200, { results: relationships.map(() => ({ id: "" })), skipped })(response, request);
    };
    const server = await TestServer.start(skips);
    const relationships = nodes(300).map((source) => ({ source, target: node(0), type: "KNOWS" }));
    const result = await clientOf(server).capture.relationships(relationships, { onMissing: "skip" });
    expect(result.skipped.map(({ index }) => index)).toEqual([1, 251]);
    expect(server.received[0]?.json).toMatchObject({ on_missing: "skip" });
  });

  it("is refused with a concurrency that would start no request", async () => {
    const server = await TestServer.start(captures);
    for (const concurrency of [Number.NaN, 0])
      await expect(clientOf(server).capture.nodes(nodes(1), { concurrency })).rejects.toThrow(
        `concurrency: a number of at least 1 expected, ${concurrency} given`,
      );
    expect(server.received).toHaveLength(0);
  });

  it("ends by a signal", async () => {
    const server = await TestServer.start((response) => void setTimeout(() => response.destroy(), 5_000));
    const capture = clientOf(server).capture.nodes(nodes(2_000), { signal: AbortSignal.timeout(100) });
    await expect(capture).rejects.toThrow(/aborted|timeout/i);
    await delay(50);
    expect(server.sockets.size).toBe(0);
  });
});

describe("a session", () => {
  it("sends the newest token with its reads, and writes in turn", async () => {
    let open = 0;
    let most = 0;
    let count = 0;
    const behaviour: Behaviour = (response, request) => {
      if (request.path.startsWith("/access")) return answer(200, { decision: true })(response, request);
      most = Math.max(most, ++open);
      const token = `t${++count}`;
      return void setTimeout(() => {
        open--;
        const results = idsOf(request).map((id) => ({ id }));
        answer(200, { results }, { "X-Consistency-Token": token })(response, request);
      }, 10);
    };
    const server = await TestServer.start(behaviour);
    const session = clientOf(server).session();
    expect(session.consistencyToken).toBe(undefined);
    await Promise.all([session.capture.nodes(nodes(600)), session.capture.nodes(nodes(300))]);
    expect([most, session.consistencyToken]).toEqual([1, "t5"]);
    await session.as({ type: "Person", id: "ann" }).can("READ", { type: "Document", id: "d" });
    expect(server.received.at(-1)?.headers["x-consistency-token"]).toBe("t5");
    const other = clientOf(server).session(session.consistencyToken);
    await other.as({ type: "Person", id: "ann" }).can("READ", { type: "Document", id: "d" });
    expect(server.received.at(-1)?.headers["x-consistency-token"]).toBe("t5");
    await clientOf(server).as({ type: "Person", id: "ann" }).can("READ", { type: "Document", id: "d" });
    expect(server.received.at(-1)?.headers["x-consistency-token"]).toBe(undefined);
  });
});

describe("an import", () => {
  const state = (status: string) => ({ id: "gid:1", status, lines: 2, rejected: { count: 0 } });
  const lines =
    '{"node":{"type":"Person","external_id":"p0"}}\n{"node":{"type":"Person","external_id":"p1"}}\n';
  const objects = nodes(2).map((each) => ({ node: each }));
  const bytes = new TextEncoder().encode(lines);

  const sources: readonly (readonly [string, () => ImportSource])[] = [
    ["text", () => lines],
    ["bytes", () => bytes],
    ["a blob", () => new Blob([lines])],
    ["a stream", () => new Blob([lines]).stream()],
    ["objects", () => objects],
    [
      "a generator",
      async function* drawn() {
        await delay(1);
        yield* objects;
      },
    ],
    ["texts", () => lines.split(/(?<=\n)/)],
    ["pieces of bytes", () => [bytes.slice(0, 10), bytes.slice(10)]],
  ];
  for (const [title, source] of sources)
    it(`uploads ${title}`, async () => {
      const server = await TestServer.start(answer(202, state("queued")));
      for (const gzip of [true, false]) {
        const job = await clientOf(server).capture.import(source(), { gzip });
        expect(job.id).toBe("gid:1");
        const { text, headers } = server.received.at(-1) ?? { text: "", headers: {} };
        expect(text).toBe(lines);
        expect(headers["content-type"]).toBe("application/x-ndjson");
        expect(headers["content-encoding"]).toBe(gzip ? "gzip" : undefined);
      }
    });

  it("sends what is compressed already as it is", async () => {
    const server = await TestServer.start(answer(202, state("queued")));
    await clientOf(server).capture.import(new Uint8Array(gzipSync(lines)), { compressed: true });
    expect(server.received[0]?.text).toBe(lines);
    expect(server.received[0]?.headers["content-encoding"]).toBe("gzip");
  });

  it("is sent once, also after a failure", async () => {
    for (const behaviour of [refuse(503, "x", { "Retry-After": "0" }), reset]) {
      const server = await TestServer.start(behaviour, answer(202, state("queued")));
      const { capture } = new Ikg({ baseUrl: server.baseUrl, clientKey: "k", repeatUnexecuted: true });
      await expect(capture.import(lines)).rejects.toThrow();
      await delay(250);
      expect(server.received).toHaveLength(1);
    }
  });

  it("tells its progress until it has ended", async () => {
    const server = await TestServer.start(
      ...["queued", "running", "running", "done"].map((status) => answer(200, state(status))),
    );
    const seen: string[] = [];
    for await (const { status } of clientOf(server).capture.job("gid:1").progress({ everyMs: 10 }))
      seen.push(status);
    expect(seen).toEqual(["queued", "running", "running", "done"]);
    expect((await clientOf(server).capture.job("gid:1").finished()).status).toBe("done");
  });

  it("stops to tell by a signal, also between two looks", async () => {
    const server = await TestServer.start(answer(200, state("running")));
    const job = clientOf(server).capture.job("gid:1");
    const before = performance.now();
    const finished = job.finished({ signal: AbortSignal.timeout(150) });
    await expect(finished).rejects.toThrow(/aborted|timeout/i);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it("has every rejected line", async () => {
    const next_href = "/capture/v1/imports/gid:1/rejected?page_token=1&page_size=1000";
    const server = await TestServer.start(
      answer(200, { data: [{ line: 1, errors: ["a"] }], next_href }),
      answer(200, { data: [{ line: 2, errors: ["b"] }] }),
    );
    const rejected = await clientOf(server).capture.job("gid:1").rejected().toArray();
    expect(rejected.map(({ line }) => line)).toEqual([1, 2]);
    expect(server.received[1]?.path).toBe(next_href);
  });
});
