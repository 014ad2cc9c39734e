import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { type Caller, newGid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { route } from "../src/http/route.ts";
import { startService } from "../src/process/service.ts";
import { agent, contextOf, settings } from "./test-settings.ts";

/** Starts a service with one operation. @returns sends it a body of a size, as a caller. */
const startLimited = async (limits: object, handle: (size: number) => Promise<object>) => {
  const limited = await startService("access", { ...settings, ...limits });
  limited.mount(
    route({
      operation: "evaluate",
      method: "post",
      path: "/access/v1/evaluation",
      caller: "agent",
      permission: "Authorization",
      request: z.object({ name: z.string() }),
      bodyLimit: 200_000,
      handle: ({ body }) => handle(body.name.length),
    }),
  );
  const url = `http://127.0.0.1:${(await limited.listen()).port}/access/v1/evaluation`;
  const send = async (caller: Caller, size: number) => {
    const headers = {
      ...(await contextOf(caller, "access", ["POST", "/access/v1/evaluation"])),
      "Content-Type": "application/json",
    };
    const body = JSON.stringify({ name: "x".repeat(size) });
    const response = await fetch(url, { method: "POST", headers, body });
    return { status: response.status, body: await response.json() };
  };
  return { send, close: () => limited.close() };
};

describe("many large bodies at one time", () => {
  it("wait for their share of the memory, are refused after a time, and leave another project's alone", async () => {
    let running = 0;
    let most = 0;
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const limits = { BODY_BYTES: 1_000_000, BODY_BYTES_PER_PROJECT: 400_000 };
    const { send, close } = await startLimited(limits, async () => {
      most = Math.max(most, ++running);
      await held;
      running--;
      return {};
    });
    const other: Caller = { ...agent, project: newGid("project") };
    let refused = 0;
    const heavy = Array.from({ length: 8 }, async () => {
      const answer = await send(agent, 150_000);
      if (answer.status !== 200) refused++;
      return answer;
    });
    const first = await Promise.race(heavy);
    expect(first).toEqual({
      status: 429,
      body: {
        message: "Too Many Requests",
        errors: ["bytes of bodies: at most 400000 of one project at one time (BODY_BYTES_PER_PROJECT)"],
      },
    });
    expect(most).toBe(2);
    const light = [send(other, 150_000), send(agent, 100)];
    await eventually(
      () => running,
      (count) => count === 4,
      { withinMs: 5_000, everyMs: 20 },
    );
    // Each waits from when it arrived; one that still waits would get the memory that is free then.
    await eventually(
      () => refused,
      (count) => count === 6,
      { withinMs: 5_000, everyMs: 20 },
    );
    finish();
    expect((await Promise.all(light)).map(({ status }) => status)).toEqual([200, 200]);
    const statuses = (await Promise.all(heavy))
      .map(({ status }) => status)
      .toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
    expect((await send(agent, 150_000)).status).toBe(200);
    await close();
  }, 15_000);
});

describe("large bodies while another project asks", () => {
  const large = 150_000;
  const other: Caller = { ...agent, project: newGid("project") };

  it("wait for the pace of the process, which small ones never wait for, and are refused after a time", async () => {
    // The first body takes minutes of the pace: whatever waits for it is refused, however fast the machine is.
    const { send, close } = await startLimited({ BODY_BYTES_PER_SECOND: 1_000 }, () => Promise.resolve({}));
    expect((await send(other, 100)).status).toBe(200);
    const began = performance.now();
    const heavy = Array.from({ length: 8 }, async () => ({
      ...(await send(agent, large)),
      ms: performance.now() - began,
    }));
    expect((await Promise.race(heavy)).status).toBe(200);
    for (let small = 0; small < 10; small++) expect((await send(other, 10_000)).status).toBe(200);
    expect((await send(agent, 10_000)).status).toBe(200);
    const answers = await Promise.all(heavy);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(7);
    for (const { status, body, ms } of refused) {
      expect({ status, body }).toEqual({
        status: 429,
        body: {
          message: "Too Many Requests",
          errors: ["bytes of bodies per second: at most 500 of one project (half of BODY_BYTES_PER_SECOND)"],
        },
      });
      expect(ms).toBeGreaterThan(3_900);
    }
    await close();
  }, 30_000);

  it("are taken one after the other, at half of the pace at most", async () => {
    const begun: number[] = [];
    // Half a second for each.
    const { send, close } = await startLimited({ BODY_BYTES_PER_SECOND: 4 * large }, async (size) => {
      if (size === large) begun.push(performance.now());
      return {};
    });
    // On a busy machine a body may take longer, and be refused: its sender tries again.
    const sendUntilTaken = async (): Promise<void> => {
      let status: number;
      do {
        await send(other, 100);
        ({ status } = await send(agent, large));
        expect([200, 429]).toContain(status);
      } while (status !== 200);
    };
    await Promise.all(Array.from({ length: 4 }, sendUntilTaken));
    const gaps = begun.slice(1).map((ms, at) => ms - (begun[at] ?? 0));
    expect(gaps).toHaveLength(3);
    // A body that keeps the process for more than a sixteenth of its time counts as more.
    for (const gap of gaps) expect(gap).toBeGreaterThan(460);
    await close();
  }, 60_000);
});
