import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { requestSignals } from "./request-signals.ts";

/** What the signals look at of a response. */
const response = (): EventEmitter & { writableFinished: boolean } =>
  Object.assign(new EventEmitter(), { writableFinished: false });

const asResponse = (stub: ReturnType<typeof response>) => stub as unknown as ServerResponse; // all that is read of it

describe("the signal of a request", () => {
  it("is aborted when the caller leaves before the answer is complete", () => {
    const signalOf = requestSignals(new AbortController().signal);
    const [left, answered] = [response(), response()];
    const [first, second] = [signalOf(asResponse(left)), signalOf(asResponse(answered))];
    left.emit("close");
    answered.writableFinished = true;
    answered.emit("close");
    expect([first.aborted, second.aborted]).toEqual([true, false]);
  });

  it("is aborted at the deadline of all, as long as the request runs, and afterwards at once", () => {
    const deadline = new AbortController();
    const signalOf = requestSignals(deadline.signal);
    const over = response();
    const [ended, runs] = [signalOf(asResponse(over)), signalOf(asResponse(response()))];
    over.writableFinished = true;
    over.emit("close");
    deadline.abort();
    expect([ended.aborted, runs.aborted]).toEqual([false, true]);
    expect(signalOf(asResponse(response())).aborted).toBe(true);
  });
});
