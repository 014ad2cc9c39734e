import { isTooDeep, type ResolverReason, type Selector } from "@ikg/contracts";
import {
  type Breaker,
  CircuitFull,
  CircuitOpen,
  type Egress,
  EgressError,
  type EgressHead,
} from "@ikg/egress";
import { tlsFault } from "@ikg/tls";
import { Abandoned, isNoSign } from "./circuits.ts";
import { ResolverFailure } from "./failure.ts";
import { jsonSize } from "./json-size.ts";
import type { RenderedCall } from "./render.ts";
import { select } from "./select.ts";

/** Characters of a value, at most; as many as the answer it comes from may have bytes. */
export const maxValueSize = 1024 * 1024;

/** What a call gave. */
export type Outcome =
  /** `size`: bytes of the value as JSON. */
  { readonly ok: true; readonly value: unknown; readonly size: number } | Failed;

/** A call that gave no value. */
export interface Failed {
  readonly ok: false;
  readonly reason: ResolverReason;
  /** The service gives no usable answers, or may not be called: not a matter of this one call. */
  readonly isServiceFault?: boolean;
  /** For the log alone: what a TLS connection failed for. */
  readonly cause?: string;
}

const jsonType = /^application\/(?:json|.+\+json)$/;

const checkHead = ({ status, contentType }: EgressHead): void => {
  if (status < 200 || status > 299) throw new EgressError("upstream_status", undefined, status);
  if (!jsonType.test(contentType)) throw new EgressError("content_type_mismatch");
};

const decoder = new TextDecoder("utf-8", { fatal: true });

const documentOf = (body: Buffer): unknown => {
  try {
    const text = decoder.decode(body);
    // What is deeper could not be written into our own answer.
    if (!isTooDeep(text)) return JSON.parse(text);
  } catch (error) {
    throw new EgressError("invalid_json", error);
  }
  throw new EgressError("invalid_json");
};

const reasonOf = (error: unknown): ResolverReason => {
  if (error instanceof EgressError || error instanceof ResolverFailure) return error.reason;
  if (error instanceof CircuitFull) return "limit_exceeded";
  if (error instanceof CircuitOpen) return "circuit_open";
  return error instanceof Abandoned ? "upstream_timeout" : "upstream_unreachable";
};

const isServiceFault = (error: unknown): boolean => {
  if (error instanceof CircuitOpen) return !(error instanceof CircuitFull);
  if (error instanceof EgressError && error.reason === "blocked_address") return true;
  return !isNoSign(error);
};

export interface Exchange {
  readonly call: RenderedCall;
  readonly selector: Selector;
  readonly timeoutMs: number;
  /** Ends with the execution that the value is for. */
  readonly signal: AbortSignal;
}

const exchange = async (
  egress: Egress,
  { call, selector, timeoutMs, signal }: Exchange,
): Promise<Outcome> => {
  const { body } = await egress.request(call.url, {
    method: call.method,
    // Names of the author's that differ from these in their letters only were left out before.
    headers: { ...call.headers, Accept: "application/json", "Content-Type": "application/json" },
    ...(call.body === undefined ? {} : { body: call.body }),
    timeoutMs,
    signal,
    checkHead,
  });
  const value = select(selector, documentOf(body));
  if (jsonSize(value, maxValueSize) > maxValueSize) throw new EgressError("response_too_large");
  return { ok: true, value, size: Buffer.byteLength(JSON.stringify(value)) };
};

const failedBy = (error: unknown): Failed => {
  const fault = tlsFault(error);
  const cause = fault === undefined ? {} : { cause: `no TLS connection to the resolver: ${fault}` };
  return { ok: false, reason: reasonOf(error), isServiceFault: isServiceFault(error), ...cause };
};

/** Makes one call and takes the value from its answer. A failure is reported by its reason, and for the log the fault of TLS. */
export const fetchValue = async (egress: Egress, circuit: Breaker, request: Exchange): Promise<Outcome> => {
  const { signal } = request;
  try {
    if (signal.aborted) throw new Abandoned();
    return await circuit.run(async () => {
      try {
        return await exchange(egress, request);
      } catch (error) {
        throw signal.aborted ? new Abandoned("", { cause: error }) : error;
      }
    });
  } catch (error) {
    return failedBy(error);
  }
};
