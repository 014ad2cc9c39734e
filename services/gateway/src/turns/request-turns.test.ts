import { describe, expect, it } from "@jest/globals";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { openRequestTurns, turnLimits } from "./request-turns.ts";

/** Longer than the time between two checks of waiting requests. */
const aCheckMs = 150;

/** With the limits of a machine of two processors: eight quick requests, one slow one. */
const open = () => {
  let time = 0;
  const refused: string[] = [];
  const turns = openRequestTurns(
    turnLimits(1),
    (limit) => void refused.push(limit),
    () => time,
  );
  const send = (project: string, operation = "evaluate", bodyBytes = 0) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const request = {
      state: "waiting",
      error: undefined as unknown,
      end: (status = 200) => {
        response.statusCode = status;
        response.emit("close");
      },
    };
    void turns.turn(project, operation, bodyBytes, response).then(
      () => (request.state = "forwarded"),
      (error: unknown) => Object.assign(request, { state: "refused", error }),
    );
    return request;
  };
  type Sent = ReturnType<typeof send>;
  const sendMany = (count: number, project: string, operation?: string): readonly Sent[] =>
    Array.from({ length: count }, () => send(project, operation));
  const count = async (requests: readonly Sent[], state: string): Promise<number> => {
    await delay(0);
    return requests.filter((request) => request.state === state).length;
  };
  /** Requests of a project beside another one, which has just had an answer. */
  const sendBeside = async (many: number): Promise<readonly Sent[]> => {
    send("light").end();
    return sendMany(many, "busy");
  };
  return { turns, refused, send, sendMany, sendBeside, count, pass: (ms: number) => void (time += ms) };
};

const endAll = (requests: readonly { state: string; end: () => unknown }[]): void => {
  for (const request of requests.filter(({ state }) => state === "forwarded")) {
    request.state = "ended";
    request.end();
  }
};

describe("requests of a project", () => {
  it("do not wait while no other project asks", async () => {
    const { sendMany, count, turns } = open();
    expect(await count(sendMany(200, "busy"), "forwarded")).toBe(200);
    expect(turns.waiting).toBe(0);
  });

  it("do not wait where it has few at one time", async () => {
    const { sendBeside, send, count } = open();
    const first = await sendBeside(8);
    expect(await count(first, "forwarded")).toBe(8);
    endAll(first);
    expect(await count([send("busy")], "forwarded")).toBe(1);
  });

  it("are forwarded eight at a time once they are known to be quick", async () => {
    const { sendBeside, count, pass, turns } = open();
    const requests = await sendBeside(40);
    expect(await count(requests, "forwarded")).toBe(8);
    expect(turns.waiting).toBe(32);
    for (const ended of [8, 16, 24, 32]) {
      pass(10);
      endAll(requests);
      expect(await count(requests, "ended")).toBe(ended);
      expect(await count(requests, "forwarded")).toBe(8);
    }
    endAll(requests);
    expect(turns.waiting).toBe(0);
  });

  it("are forwarded one at a time where they are slow", async () => {
    const { sendBeside, count, pass } = open();
    const requests = await sendBeside(20);
    expect(await count(requests, "forwarded")).toBe(8);
    pass(600);
    endAll(requests);
    expect(await count(requests, "forwarded")).toBe(1);
    pass(600);
    endAll(requests);
    expect(await count(requests, "forwarded")).toBe(1);
    // Quick ones in a row: it was others that made them slow.
    for (let at = 0; at < 5; at++) {
      pass(10);
      expect(await count(requests, "forwarded")).toBe(1);
      endAll(requests);
    }
    expect(await count(requests, "forwarded")).toBe(6);
  });

  it("of a quick operation do not wait for those of a slow one", async () => {
    const { sendBeside, sendMany, count, pass } = open();
    const quick = sendMany(5, "busy", "introspect");
    expect(await count(quick, "forwarded")).toBe(5);
    endAll(quick);
    const slow = await sendBeside(20);
    pass(600);
    endAll(slow);
    expect(await count(slow, "forwarded")).toBe(1);
    expect(await count(sendMany(8, "busy", "introspect"), "forwarded")).toBe(8);
  });

  it("of one operation do not keep those of another waiting", async () => {
    const { sendBeside, send, count, pass } = open();
    const searches = await sendBeside(60);
    const other = send("busy", "execute");
    pass(600);
    endAll(searches);
    expect(await count([other], "forwarded")).toBe(0);
    pass(600);
    endAll(searches);
    expect(await count([other], "forwarded")).toBe(1);
  });

  it("count as several where their bodies are large", async () => {
    const { send, count, pass } = open();
    send("light").end();
    const large = Array.from({ length: 3 }, () => send("busy", "evaluate", 1_800_000));
    for (const ended of [1, 2, 3]) {
      expect(await count(large, "forwarded")).toBe(1);
      pass(100);
      endAll(large);
      expect(await count(large, "ended")).toBe(ended);
    }
    // Two of half a megabyte count as eight.
    const medium = Array.from({ length: 3 }, () => send("busy", "evaluate", 512 * 1024));
    expect(await count(medium, "forwarded")).toBe(2);
    endAll(medium);
    expect(await count(medium, "forwarded")).toBe(1);
  });

  it("count as several only while their bodies are read", async () => {
    const { send, count, pass } = open();
    send("light").end();
    const upload = send("busy", "import", 500_000_000);
    expect(await count([upload], "forwarded")).toBe(1);
    const small = send("busy");
    expect(await count([small], "waiting")).toBe(1);
    pass(100);
    await delay(aCheckMs);
    expect(await count([small], "forwarded")).toBe(1);
  });

  it("are not many because of one large body", async () => {
    const { send, sendMany, count, pass } = open();
    send("light").end();
    const before = sendMany(8, "busy");
    expect(await count(before, "forwarded")).toBe(8);
    endAll(before);
    send("busy", "import", 500_000_000);
    const small = send("busy");
    expect(await count([small], "waiting")).toBe(1);
    pass(100);
    // Of an operation that is not known to be quick.
    expect(await count(sendMany(4, "busy", "execute"), "forwarded")).toBe(4);
  });

  it("give their turn to the next one after a second", async () => {
    const { sendBeside, count, pass } = open();
    const requests = await sendBeside(12);
    pass(900);
    await delay(aCheckMs);
    expect(await count(requests, "forwarded")).toBe(8);
    pass(100);
    await delay(aCheckMs);
    expect(await count(requests, "forwarded")).toBe(9);
  });

  it("are refused after some seconds, not all at once", async () => {
    const { sendBeside, send, sendMany, count, pass, refused } = open();
    const requests = await sendBeside(208);
    /** Its callers send others all the time. */
    const refusedAfter = async (seconds: number): Promise<number> => {
      for (let half = 0; half < seconds * 2; half++) {
        pass(500);
        send("light").end();
        sendMany(20, "busy");
      }
      await delay(aCheckMs);
      return count(requests, "refused");
    };
    expect(await refusedAfter(4.5)).toBe(0);
    const some = await refusedAfter(3);
    expect(some).toBeGreaterThan(50);
    expect(some).toBeLessThan(150);
    await refusedAfter(3.5);
    expect(await count(requests, "waiting")).toBe(0);
    const { error } = requests.find(({ state }) => state === "refused") ?? {};
    expect(error).toMatchObject({
      code: "too_many_requests",
      errors: [expect.stringMatching(/^turns of requests: .* more than 8 requests at one time/)],
      headers: { "Retry-After": "2" },
    });
    expect(new Set(refused)).toEqual(new Set(["turns of requests"]));
  });

  it("take turns no longer once there would be few without them", async () => {
    const { sendBeside, send, count, pass } = open();
    // Three requests of two seconds in each second, after nine at one time.
    const requests = [...(await sendBeside(9))];
    const ends = requests.map((request) => ({ request, at: Infinity }));
    let time = 0;
    for (let step = 0; step < 60; step++) {
      time += 333;
      pass(333);
      send("light").end();
      const request = send("busy");
      requests.push(request);
      ends.push({ request, at: Infinity });
      await delay(0);
      for (const each of ends) {
        if (each.at === Infinity && each.request.state === "forwarded") each.at = time + 2_000;
        if (each.at <= time && each.request.state === "forwarded") {
          each.request.state = "ended";
          each.request.end();
        }
      }
    }
    // The first ones may wait for too long; later ones do not wait.
    const later = requests.slice(-30);
    expect(await count(later, "refused")).toBe(0);
    expect(await count(later, "waiting")).toBe(0);
    expect(await count(later, "ended")).toBeGreaterThan(20);
  });

  it("are not slow because their service delayed its refusals", async () => {
    const { send, sendBeside, count, pass } = open();
    for (let at = 0; at < 5; at++) send("busy").end();
    for (let at = 0; at < 8; at++) {
      const refusal = send("busy");
      pass(1_100);
      refusal.end(401);
    }
    const requests = await sendBeside(20);
    expect(await count(requests, "forwarded")).toBe(8);
    expect(await count(await sendBeside(20), "forwarded")).toBe(0);
    // Those of a quick operation count for a tenth of a second, of a slow one for a second.
    pass(100);
    await delay(aCheckMs);
    expect(await count(requests, "forwarded")).toBe(16);
  });

  it("are all forwarded when the gateway stops", async () => {
    const { sendBeside, send, count, turns } = open();
    const requests = await sendBeside(100);
    expect(await count(requests, "forwarded")).toBe(8);
    turns.stop();
    expect(await count([...requests, send("busy")], "forwarded")).toBe(101);
  });

  it("leave the queue when their caller disconnects", async () => {
    const { sendBeside, turns } = open();
    const requests = await sendBeside(20);
    await delay(0);
    for (const request of requests.filter(({ state }) => state === "waiting")) request.end();
    expect(turns.waiting).toBe(0);
  });

  it("are all forwarded once no other project asks", async () => {
    const { sendBeside, count, pass } = open();
    const requests = await sendBeside(100);
    expect(await count(requests, "forwarded")).toBe(8);
    pass(4_999);
    await delay(aCheckMs);
    expect(await count(requests, "forwarded")).toBe(9);
    pass(1);
    await delay(aCheckMs);
    expect(await count(requests, "forwarded")).toBe(100);
  });
});
