import { afterEach, expect, it } from "@jest/globals";
import { parseSelector } from "@ikg/contracts";
import { type Egress, EgressError, openBreaker } from "@ikg/egress";
import { fetchValue } from "./fetch-value.ts";

const breakers: ReturnType<typeof openBreaker>[] = [];
const newBreaker = (options: Parameters<typeof openBreaker>[1] = {}) => {
  const breaker = openBreaker("r@1", options);
  breakers.push(breaker);
  return breaker;
};
afterEach(() => {
  for (const breaker of breakers.splice(0)) breaker.shutdown();
});

const parsed = parseSelector(".price");
if (!parsed.ok) throw new Error("the selector is valid");

const exchange = (signal = new AbortController().signal) => ({
  call: { url: "http://prices.example/", method: "GET" as const, headers: {}, body: undefined },
  selector: parsed.value,
  timeoutMs: 1_000,
  signal,
});

/** A service that answers with a text, or that fails. */
const egress = (answer: string | EgressError): Egress =>
  ({
    request: async () => {
      if (typeof answer !== "string") throw answer;
      return { body: Buffer.from(answer) };
    },
  }) as unknown as Egress; // nothing else of it is called

const outcomeOf = (answer: string | EgressError) => fetchValue(egress(answer), newBreaker(), exchange());

it("a service that is unavailable, answers with errors or without JSON, or may not be called, is at fault", async () => {
  for (const error of [
    new EgressError("upstream_unreachable"),
    new EgressError("upstream_timeout"),
    new EgressError("upstream_status", undefined, 503),
    new EgressError("upstream_status", undefined, 429),
    new EgressError("blocked_address"),
    new EgressError("content_type_mismatch"),
  ])
    expect(await outcomeOf(error)).toEqual({ ok: false, reason: error.reason, isServiceFault: true });
  expect(await outcomeOf("no JSON")).toMatchObject({ reason: "invalid_json", isServiceFault: true });
  const open = newBreaker({ volumeThreshold: 1 });
  await fetchValue(egress(new EgressError("upstream_timeout")), open, exchange());
  expect(await fetchValue(egress("{}"), open, exchange())).toMatchObject({
    reason: "circuit_open",
    isServiceFault: true,
  });
});

it("a single call that has no value says nothing of the service", async () => {
  const missing = new EgressError("upstream_status", undefined, 404);
  expect(await outcomeOf(missing)).toMatchObject({ reason: "upstream_status", isServiceFault: false });
  expect(await outcomeOf("{}")).toMatchObject({ reason: "selector_no_match", isServiceFault: false });
  const full = newBreaker({ capacity: 0 });
  expect(await fetchValue(egress("{}"), full, exchange())).toMatchObject({
    reason: "limit_exceeded",
    isServiceFault: false,
  });
  // Its execution is over: the caller has left.
  expect(await fetchValue(egress("{}"), newBreaker(), exchange(AbortSignal.abort()))).toMatchObject({
    reason: "upstream_timeout",
    isServiceFault: false,
  });
});
