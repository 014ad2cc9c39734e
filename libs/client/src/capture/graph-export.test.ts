import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { type Behaviour, closeServers, refuse, TestServer } from "../../test/server.ts";
import { IkgAdmin } from "../admin/ikg-admin.ts";
import { Ikg } from "../ikg.ts";

afterEach(closeServers);

const node = (at: number) => ({ node: { type: "Person", external_id: `p${at}` } });
const complete = { complete: { nodes: 2, relationships: 0 } };

interface Sending {
  readonly everyMs?: number;
  readonly end?: "whole" | "reset" | "open";
}

/** Sends lines with some time between them; `end` says how it ends. */
const lines =
  (values: readonly unknown[], { everyMs = 0, end = "whole" }: Sending = {}): Behaviour =>
  (response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    void (async () => {
      for (const value of values) {
        await delay(everyMs);
        response.write(`${JSON.stringify(value)}\n`);
      }
      await delay(20);
      if (end === "whole") response.end();
      if (end === "reset") response.destroy();
    })();
  };

const clientOf = ({ baseUrl }: TestServer): Ikg => new Ikg({ baseUrl, clientKey: "k" });

const collect = async (exported: AsyncGenerator<unknown, unknown, undefined>) => {
  const seen: unknown[] = [];
  for (;;) {
    const next = await exported.next();
    if (next.done === true) return { seen, returned: next.value };
    seen.push(next.value);
  }
};

describe("an export", () => {
  it("has the lines, and returns how much it was", async () => {
    const server = await TestServer.start(lines([node(0), node(1), complete]));
    const { seen, returned } = await collect(clientOf(server).capture.export({ types: ["Person", "Car"] }));
    expect([seen, returned]).toEqual([[node(0), node(1)], complete.complete]);
    expect(server.received[0]?.path).toBe("/capture/v1/export?types=Person%2CCar");
  });

  it("of an administrator names the project", async () => {
    const server = await TestServer.start(lines([node(0), complete]));
    const admin = new IkgAdmin({ baseUrl: server.baseUrl, token: "t", project: "gid:p" });
    const { seen, returned } = await collect(admin.exportGraph({ types: ["Person"] }));
    expect([seen, returned]).toEqual([[node(0)], complete.complete]);
    const [{ path, headers } = { path: "", headers: {} }] = server.received;
    expect([path, headers["authorization"]]).toEqual([
      "/capture/v1/export?types=Person&project_id=gid%3Ap",
      "Bearer t",
    ]);
  });

  it("is an error where it is cut off, whichever way", async () => {
    const failure = { error: { status: 422, message: "Unprocessable Entity", errors: ["Person:a: no"] } };
    for (const [behaviour, message] of [
      [lines([node(0)]), /before all of its lines/],
      [lines([]), /before all of its lines/],
      [lines([node(0)], { end: "reset" }), /no response/],
      [lines([node(0), failure]), /Person:a: no|Unprocessable/],
      [lines([node(0), null]), /a line of the response is not a JSON object/],
    ] as const) {
      const server = await TestServer.start(behaviour);
      await expect(collect(clientOf(server).capture.export())).rejects.toThrow(message);
      expect(server.received).toHaveLength(1);
    }
  });

  it("is asked for again until it begins", async () => {
    const server = await TestServer.start(refuse(503, "x"), lines([complete]));
    expect((await collect(clientOf(server).capture.export())).returned).toEqual(complete.complete);
    expect(server.received).toHaveLength(2);
  });

  it("takes as long as it takes, but is not silent for long", async () => {
    const slow = await TestServer.start(lines([node(0), node(1), complete], { everyMs: 200 }));
    expect((await collect(clientOf(slow).capture.export({ silenceMs: 500 }))).seen).toHaveLength(2);
    const silent = await TestServer.start(lines([node(0)], { end: "open" }));
    await expect(collect(clientOf(silent).capture.export({ silenceMs: 200 }))).rejects.toThrow(/200 ms/);
  });

  it("does not count the time of its reader", async () => {
    const server = await TestServer.start(lines([node(0), complete]));
    let seen = 0;
    for await (const line of clientOf(server).capture.export({ silenceMs: 150 })) {
      expect(line).toEqual(node(0));
      seen++;
      await delay(300);
    }
    expect(seen).toBe(1);
  });

  const ends: readonly (readonly [string, (client: Ikg) => Promise<void>])[] = [
    [
      "by a signal",
      async ({ capture }) => {
        const exported = collect(capture.export({ signal: AbortSignal.timeout(100) }));
        await expect(exported).rejects.toThrow(/abort|timeout/i);
      },
    ],
    [
      "with its reader",
      async ({ capture }) => {
        for await (const line of capture.export()) if ("node" in line) break;
      },
    ],
  ];

  const freedLimits = { withinMs: 2_000, everyMs: 50 };

  it.each(ends)("ends %s, and frees the socket", async (_name, read) => {
    const server = await TestServer.start(lines([node(0)], { end: "open" }));
    await read(clientOf(server));
    await eventually(
      () => server.sockets.size,
      (count) => count === 0,
      freedLimits,
    );
  });

  /**
   * Where requests follow aborts at once, Node opens a few spare connections that no request uses; it closes them when they
   * have been idle for 4 s.
   */
  it.each(ends)("ends %s twenty times, and no socket of a request stays open", async (_name, read) => {
    const server = await TestServer.start(lines([node(0)], { end: "open" }));
    const client = clientOf(server);
    for (let times = 0; times < 20; times++) await read(client);
    await eventually(
      () => server.busy.size,
      (count) => count === 0,
      freedLimits,
    );
    expect(server.sockets.size).toBeLessThan(5);
  });
});
