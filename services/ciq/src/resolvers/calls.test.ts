import { setImmediate as settled } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parseSelector } from "@ikg/contracts";
import { type Egress, EgressError } from "@ikg/egress";
import { type Calls, openCalls } from "./calls.ts";
import type { PlannedCall } from "./plan.ts";

const parsed = parseSelector(".price");
if (!parsed.ok) throw new Error("the selector is valid");
const selector = parsed.value;

const tenant = { id: "project", organizationId: "organization" };
/** Calls that one project may have in flight. */
const ofProject = 48;

let sent: number;
let calls: Calls;

/** A service that never answers. */
const egress = {
  request: (_url, { signal } = {}) => {
    sent += 1;
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new EgressError("upstream_timeout")));
    });
  },
} as Partial<Egress> as Egress; // nothing else of it is called

beforeEach(() => {
  sent = 0;
  const metrics = {
    gauge: () => ({ set: () => undefined }),
    histogram: () => ({ observe: () => undefined }),
  };
  calls = openCalls({ egress, metrics, timeoutMs: 60_000, waitMs: 60_000 });
});
afterEach(() => calls.close());

/** A call of a resolver of its own, so that no circuit is full. */
const callOf = (number: number): PlannedCall =>
  ({
    template: { id: `r${number}`, version: 1, selector },
    call: { url: "https://prices.example/", method: "GET", headers: {}, body: undefined },
  }) as unknown as PlannedCall; // no other member is read

/** As many calls as a project may have, all of them without an answer. */
const begin = async (): Promise<{ end(): Promise<void> }> => {
  const controller = new AbortController();
  const made = Array.from({ length: ofProject }, (_, number) =>
    calls.make(tenant, callOf(number), controller.signal),
  );
  await settled();
  return {
    end: async () => {
      controller.abort();
      await Promise.all(made);
    },
  };
};

describe("a call that waits for its turn", () => {
  it("ends with its execution, and leaves the turn to the next one", async () => {
    const first = await begin();
    const execution = new AbortController();
    const waiting = calls.make(tenant, callOf(ofProject), execution.signal);
    execution.abort();
    expect(await waiting).toEqual({ outcome: { ok: false, reason: "limit_exceeded" }, ms: 0 });
    await first.end();
    const second = await begin();
    expect(sent).toBe(2 * ofProject);
    await second.end();
  });

  it("does not begin to wait for an execution that is over", async () => {
    const first = await begin();
    expect(await calls.make(tenant, callOf(ofProject), AbortSignal.abort())).toMatchObject({
      outcome: { ok: false, reason: "upstream_timeout" },
    });
    expect(sent).toBe(ofProject);
    await first.end();
  });
});
