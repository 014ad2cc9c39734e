import type { Redis } from "ioredis";
import { openRefusalPace } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { openEgress } from "@ikg/egress";
import type { Graph } from "@ikg/graph";
import { openNames } from "@ikg/graph-names";
import type { AuthLog } from "../credentials.ts";
import { type Candidate, chooseConfig, digestOf } from "./choose-config.ts";
import { momentaryClaims } from "./claims.ts";
import { openIssuers } from "./issuers.ts";
import { openIssuerResponseCache } from "./issuer-response-cache.ts";
import { openOnlineResponses } from "./online-responses.ts";
import { refusalReporter, shownDigest } from "./report-refusal.ts";
import { TokenVerifier, type Verification } from "./token-verifier.ts";
import { openTokenNodes } from "./token-node.ts";
import type { Counters, IntrospectedProject, IntrospectionOutcome, OnIntrospected, Token } from "./types.ts";
import { subjectUpserter } from "./upsert-subject.ts";

/** The settings of introspection; those of a service include them. */
export interface IntrospectionSettings {
  readonly TOKEN_CLOCK_SKEW_SECONDS: number;
  readonly EGRESS_ALLOW_HTTP: boolean;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
  readonly EGRESS_ALLOW_CIDRS: readonly string[];
  /** Cached responses of issuers are sealed with a key derived from it. */
  readonly TOKEN_SEALING_KEY: Uint8Array;
  /** Responses that were sealed with these are accepted as well. */
  readonly TOKEN_SEALING_FORMER_KEYS?: readonly Uint8Array[];
}

export interface IntrospectionParts {
  /** Name of this service: its processes share what issuers respond. */
  readonly service: string;
  readonly settings: IntrospectionSettings;
  /** Token nodes are written here. */
  readonly graph: Graph;
  readonly redis: Redis;
  readonly log: AuthLog;
  readonly metrics: Counters;
  /** Called for every token, with whether it is in the cache of accepted tokens. */
  readonly onLookup?: (hit: boolean) => void;
  /** Milliseconds; for keys and documents of issuers. */
  readonly now?: () => number;
}

export interface Introspection {
  /**
   * Verifies the end user's token by the configurations of one project, and writes the node
   * of its subject where the configuration requires it. A node that cannot be written does not fail the request.
   *
   * @param now milliseconds; `exp`, `auth_age` and the like are evaluated at this time.
   * @param onIntrospected called with the outcome, before this resolves or rejects.
   * @throws Problem `bearer_invalid` (401) with a challenge; `unavailable` (503) when the issuer cannot be reached;
   *   `too_many_requests` (429) when too many tokens of the project wait to be verified.
   */
  introspect(
    bearer: string,
    project: IntrospectedProject,
    now: number,
    onIntrospected?: OnIntrospected,
  ): Promise<Token>;
  close(): Promise<void>;
}

const openVerifier = (parts: IntrospectionParts, issuers: ReturnType<typeof openIssuers>): TokenVerifier => {
  const { service, settings, redis, log, onLookup = () => undefined, now: clock = Date.now } = parts;
  const cache = openIssuerResponseCache(
    redis,
    service,
    settings.TOKEN_SEALING_KEY,
    settings.TOKEN_SEALING_FORMER_KEYS,
  );
  return new TokenVerifier({
    issuers,
    onlineResponse: openOnlineResponses(cache),
    log,
    skewSeconds: settings.TOKEN_CLOCK_SKEW_SECONDS,
    onLookup,
    clock,
  });
};

const egressOf = (settings: IntrospectionSettings) =>
  openEgress({
    allowHttp: settings.EGRESS_ALLOW_HTTP,
    allowHosts: settings.EGRESS_ALLOW_HOSTS,
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
  });

export const openIntrospection = (parts: IntrospectionParts): Introspection => {
  const { settings, graph, redis, log, metrics, now: clock = Date.now } = parts;
  const egress = egressOf(settings);
  const issuers = openIssuers({ egress, log, metrics, now: clock });
  const verifier = openVerifier(parts, issuers);
  const refusalPace = openRefusalPace();
  const reportRefusal = refusalReporter(metrics, log);
  const upsertSubject = subjectUpserter(
    openTokenNodes(graph, openNames(graph, log), redis, clock),
    metrics,
    log,
  );

  return {
    introspect: async (bearer, { project, introspects }, now, onIntrospected) => {
      const digest = digestOf(bearer);
      let candidate: Candidate | undefined;
      const report = (result: IntrospectionOutcome["result"], isCached: boolean, error?: string): void =>
        onIntrospected?.({
          configId: candidate?.config.id,
          result,
          error,
          tokenHash: shownDigest(digest),
          isCached,
        });
      let verification: Verification;
      try {
        candidate = chooseConfig(bearer, digest, introspects);
        verification = await verifier.verify(candidate, now);
        report("active", verification.isCached);
      } catch (error) {
        const reported = reportRefusal(error, digest, candidate?.config);
        const isRefused = reported instanceof Problem && reported.status === 401;
        const message = reported instanceof Problem ? reported.message : "internal";
        report(isRefused ? "refused" : "not_judged", false, message);
        if (isRefused) await refusalPace(project.id);
        throw reported;
      }
      const { accepted } = verification;
      const { config } = candidate;
      if (config.performUpsert) await upsertSubject(project, config, accepted);
      return {
        subject: accepted.subject,
        claims: { ...accepted.claims, ...momentaryClaims(accepted.payload, now) },
        configId: config.id,
        nodeType: config.nodeType,
      };
    },
    close: async () => {
      issuers.close();
      await egress.close();
    },
  };
};
