import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "@jest/globals";
import { answer, type Behaviour, closeServers, TestServer } from "../test/server.ts";
import { Ikg } from "./ikg.ts";

afterEach(closeServers);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void; // exposed by the flag

const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const decides: Behaviour = (response, request) => {
  const { evaluations } = request.json as { evaluations?: unknown[] };
  answer(
    200,
    evaluations === undefined
      ? { decision: true }
      : { evaluations: evaluations.map(() => ({ decision: true })) },
  )(response, request);
};

describe("a million calls", () => {
  it("leave nothing behind, also on a signal that lives as long", async () => {
    const server = await TestServer.start(decides);
    const ann = new Ikg({ baseUrl: server.baseUrl, clientKey: "k" }).as({ type: "Person", id: "ann" });
    const { signal } = new AbortController();
    const ask = async (calls: number, join: boolean): Promise<void> => {
      for (let at = 0; at < calls; at += 100) {
        const resource = { type: "Document", id: String(at) };
        const answers = await Promise.all(
          Array.from({ length: 100 }, () => ann.can("READ", resource, { join, signal })),
        );
        expect(answers.every(Boolean)).toBe(true);
        server.received.length = 0;
      }
    };
    await ask(50_000, true);
    await ask(5_000, false);
    const before = heap();
    await ask(950_000, true);
    await ask(50_000, false);
    expect(heap() - before).toBeLessThan(8_000_000);
  }, 600_000);
});
