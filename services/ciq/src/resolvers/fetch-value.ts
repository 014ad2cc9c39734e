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
import { CallAbortedError, isUnrelatedToHealth } from "./circuits.ts";
import { ResolverFailure } from "./failure.ts";
import { jsonSize } from "./json-size.ts";
import type { RenderedCall } from "./render.ts";
import { select } from "./select.ts";

/** Limit of the characters of a value, equal to the limit of bytes of its response. */
const maxValueSize = 1024 * 1024;

/** The outcome of a call. */
export type Outcome =
  /** `size`: bytes of the value as JSON. */
  { readonly ok: true; readonly value: unknown; readonly size: number } | CallFailure;

/** A call without a value. */
export interface CallFailure {
  readonly ok: false;
  readonly reason: ResolverReason;
  /** The service returns no usable responses, or may not be called: the failure is not specific to this call. */
  readonly isServiceFault?: boolean;
  /** Logged only: why a TLS connection failed. */
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
    // A deeper document could not be written into the response of the execution.
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
  return error instanceof CallAbortedError ? "upstream_timeout" : "upstream_unreachable";
};

const isServiceFault = (error: unknown): boolean => {
  if (error instanceof CircuitOpen) return !(error instanceof CircuitFull);
  if (error instanceof EgressError && error.reason === "blocked_address") return true;
  return !isUnrelatedToHealth(error);
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
    // The author's headers that differ from these only in letter case were removed before.
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

const toCallFailure = (error: unknown): CallFailure => {
  const fault = tlsFault(error);
  const cause = fault === undefined ? {} : { cause: `no TLS connection to the resolver: ${fault}` };
  return { ok: false, reason: reasonOf(error), isServiceFault: isServiceFault(error), ...cause };
};

/** Makes one call and selects the value from its response. A failure has a reason and, for the log, the TLS fault. */
export const fetchValue = async (egress: Egress, circuit: Breaker, request: Exchange): Promise<Outcome> => {
  const { signal } = request;
  try {
    if (signal.aborted) throw new CallAbortedError();
    return await circuit.run(async () => {
      try {
        return await exchange(egress, request);
      } catch (error) {
        throw signal.aborted ? new CallAbortedError("", { cause: error }) : error;
      }
    });
  } catch (error) {
    return toCallFailure(error);
  }
};
