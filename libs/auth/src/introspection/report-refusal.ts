import { Problem } from "@ikg/contracts";
import { CircuitOpen, EgressError } from "@ikg/egress";
import { tlsFault } from "@ikg/tls";
import type { AuthLog } from "../credentials.ts";
import { bearerCheckUnavailable } from "./challenge.ts";
import type { Counters, IntrospectionConfig } from "./types.ts";

/** Digits of a token's SHA-256 that logs and records show. */
const shownDigits = 16;

export const shownDigest = (digest: string): string => digest.slice(0, shownDigits);

/** @returns the error to send to the caller. */
export type ReportRefusal = (
  error: unknown,
  digest: string,
  config: IntrospectionConfig | undefined,
) => unknown;

const reasonOf = (error: unknown): string =>
  error instanceof EgressError ? error.reason : error instanceof CircuitOpen ? "circuit_open" : "unknown";

/** Logs and counts tokens that are not accepted: never the token, never a claim. */
export const refusalReporter = (metrics: Counters, log: AuthLog): ReportRefusal => {
  const unverifiable = metrics.counter(
    "ikg_bearers_not_judged_total",
    "Bearer tokens that could not be verified because their issuer was unavailable or too many waited, by reason.",
    ["reason"],
  );
  return (error, digest, config) => {
    const isIssuerUnavailable = error instanceof EgressError || error instanceof CircuitOpen;
    const problem = isIssuerUnavailable ? bearerCheckUnavailable(error) : error;
    if (!(problem instanceof Problem)) return error;
    const about = {
      token_sha256: shownDigest(digest),
      ...(config === undefined ? {} : { configuration: config.id }),
    };
    if (problem.status === 401) log.warn("bearer refused", { ...about, reason: problem.message });
    else {
      const reason = problem.code === "too_many_requests" ? "limit" : reasonOf(problem.cause);
      unverifiable.inc({ reason });
      const fault = tlsFault(problem.cause);
      const tls = fault === undefined ? {} : { cause: `no TLS connection to the issuer: ${fault}` };
      log.warn("bearer token could not be verified", { ...about, reason, ...tls });
    }
    return problem;
  };
};
