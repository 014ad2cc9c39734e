import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import type { JWTPayload } from "jose";
import { Problem } from "@ikg/contracts";
import { type Breaker, CircuitOpen, EgressError, isOwnFailure, openBreaker, openEgress } from "@ikg/egress";
import type { Graph } from "@ikg/graph";
import { openNames } from "@ikg/names";
import { boundedMap } from "../bounded-map.ts";
import { isOwnCredential } from "../credential.ts";
import type { AuthLog } from "../credentials.ts";
import { bearerNotJudged, bearerRefused } from "./challenge.ts";
import { lastingClaims, type MappedClaims, mappedClaims, momentaryClaims, subjectOf } from "./claims.ts";
import { circuitName, type Issuer, issuerOf } from "./issuer.ts";
import { openJudgementSlots } from "./judgement-slots.ts";
import { type KeptAnswer, keptAnswers } from "./kept-answers.ts";
import { onlineAnswers } from "./online-answers.ts";
import { openRefusalPace } from "./refusal-pace.ts";
import { openTokenNodes } from "./token-node.ts";
import type { IntrospectedProject, IntrospectionConfig, Judged, Judgement, Token } from "./types.ts";
import { decodeUnverified, precheck, selectConfig, type UnverifiedToken } from "./unverified.ts";
import { verifySignature } from "./verify.ts";

/** The settings that introspection follows; those of a service have them all. */
export interface IntrospectionSettings {
  readonly TOKEN_CLOCK_SKEW_SECONDS: number;
  readonly EGRESS_ALLOW_HTTP: boolean;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
  readonly EGRESS_ALLOW_CIDRS: readonly string[];
  /** Kept answers of issuers are sealed with a key derived from it. */
  readonly INTERNAL_CONTEXT_KEY: Uint8Array;
  /** Answers that were sealed by these are read besides. */
  readonly INTERNAL_CONTEXT_FORMER_KEYS?: readonly Uint8Array[];
}

/** What counts; the metrics of a service fit. */
export interface Counters {
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { inc(labels: Record<string, string>): void };
}

export interface IntrospectionParts {
  readonly settings: IntrospectionSettings;
  /** Token nodes are written here. */
  readonly graph: Graph;
  readonly redis: Redis;
  readonly log: AuthLog;
  readonly metrics: Counters;
  /** Told of every token that was judged: whether it had been accepted before. */
  readonly onLookup?: (hit: boolean) => void;
  /** Milliseconds; for keys and documents of issuers. */
  readonly now?: () => number;
}

export interface Introspection {
  /**
   * Verifies the end user's token by the configurations of one project, and writes the node
   * of its subject where the configuration says so. A node that cannot be written does not hold the request up.
   *
   * @param now milliseconds; the moment that `exp`, `auth_age` and the like are judged at.
   * @param judged hears what became of it, before this resolves or rejects.
   * @throws Problem `bearer_invalid` (401) with a challenge; `unavailable` (503) when the issuer cannot be asked;
   *   `too_many_requests` (429) when too many tokens of the project wait to be judged.
   */
  introspect(bearer: string, project: IntrospectedProject, now: number, judged?: Judged): Promise<Token>;
  close(): Promise<void>;
}

/** A token that was accepted, with what was made of it once. */
interface Accepted {
  readonly payload: JWTPayload;
  readonly subject: string;
  readonly mapped: MappedClaims;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly until: number;
}

/** A token with the configuration that judges it. */
interface Chosen {
  /** Undefined for an opaque token. */
  readonly unverified: UnverifiedToken | undefined;
  readonly config: IntrospectionConfig;
}

/** Decision 26: until the earlier of `exp` and 10 minutes. */
const rememberMs = 600_000;
const rememberedTokens = 10_000;
const rememberedIssuers = 1_000;
/** A token that is sent again is not verified again; its issuer may have published its key meanwhile. */
const refusalMs = 10_000;
/** Digits of a token's SHA-256 that logs and records show. */
const shownDigits = 16;
/** More than headers of a request may hold. */
const maxToken = 16_384;

const reasonOf = (error: unknown): string =>
  error instanceof EgressError ? error.reason : error instanceof CircuitOpen ? "circuit_open" : "unknown";

export const openIntrospection = (parts: IntrospectionParts): Introspection => {
  const { settings, graph, redis, log, metrics, onLookup = () => undefined, now: clock = Date.now } = parts;
  const skewSeconds = settings.TOKEN_CLOCK_SKEW_SECONDS;
  const egress = openEgress({
    allowHttp: settings.EGRESS_ALLOW_HTTP,
    allowHosts: settings.EGRESS_ALLOW_HOSTS,
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
  });
  const tokens = boundedMap<string, Accepted>(rememberedTokens);
  /** Tokens whose signature was refused, of configurations that judge offline. */
  const refusals = boundedMap<string, { readonly problem: Problem; readonly until: number }>(
    rememberedTokens,
  );
  const issuers = boundedMap<string, Issuer>(rememberedIssuers);
  const breakers = boundedMap<string, Breaker>(rememberedIssuers, (breaker) => breaker.shutdown());
  const onlineAnswer = onlineAnswers(
    keptAnswers(redis, settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS),
  );
  const inSlot = openJudgementSlots();
  const refusalPace = openRefusalPace();
  const writeNode = openTokenNodes(graph, openNames(graph, log), redis, clock);
  const notJudged = metrics.counter(
    "ikg_bearers_not_judged_total",
    "Bearers that could not be judged because their issuer could not be asked, by reason.",
    ["reason"],
  );
  const nodesFailed = metrics.counter(
    "ikg_token_nodes_failed_total",
    "Nodes of verified bearers that could not be written.",
  );

  const opened = metrics.counter(
    "ikg_issuer_circuits_opened_total",
    "How often the circuit of a token issuer opened.",
  );

  const breakerOf = (name: string): Breaker => {
    const known = breakers.get(name);
    if (known !== undefined) return known;
    const made = openBreaker(
      `issuer ${name}`,
      { capacity: 32, ignores: isOwnFailure },
      {
        onOpen: (circuit) => {
          opened.inc({});
          log.warn("circuit open", { circuit });
        },
      },
    );
    breakers.set(name, made);
    return made;
  };

  const issuerBy = (config: IntrospectionConfig): Issuer => {
    const id = `${config.id}/${config.version}`;
    const known = issuers.get(id);
    if (known !== undefined) return known;
    // The circuit is looked up for every call: one that had to go for others is made anew.
    const made = issuerOf(config, egress, (action) => breakerOf(circuitName(config)).run(action), clock);
    issuers.set(id, made);
    return made;
  };

  const accept = (config: IntrospectionConfig, { payload, until }: KeptAnswer): Accepted => {
    const subject = subjectOf(payload, config);
    const mapped = mappedClaims(payload, config);
    if (mapped.unfit.length > 0)
      log.warn("claims of another type than the standard's left out", {
        configuration: config.id,
        claims: mapped.unfit,
      });
    return { payload, subject, mapped, claims: lastingClaims(payload, subject, config, mapped), until };
  };

  const offlineAnswer = async (
    bearer: string,
    key: string,
    unverified: UnverifiedToken | undefined,
    config: IntrospectionConfig,
    now: number,
  ): Promise<KeptAnswer> => {
    // Only an issuer that is asked can judge what is no JWT.
    if (unverified === undefined) throw bearerRefused("malformed");
    try {
      await verifySignature(bearer, issuerBy(config).keys);
    } catch (error) {
      if (error instanceof Problem && error.code === "bearer_invalid")
        refusals.set(key, { problem: error, until: clock() + refusalMs });
      throw error;
    }
    const { payload } = unverified;
    return { payload, until: Math.min((payload.exp ?? 0) * 1000, now + rememberMs) };
  };

  const judge = async (
    bearer: string,
    digest: string,
    unverified: UnverifiedToken | undefined,
    config: IntrospectionConfig,
    now: number,
  ): Promise<{ readonly accepted: Accepted; readonly cached: boolean }> => {
    // Before any cache: an expired token is refused whatever was once said of it.
    if (unverified !== undefined) precheck(unverified, now, skewSeconds);
    const key = `${digest}/${config.id}/${config.version}`;
    const known = tokens.get(key);
    const lasting = known !== undefined && known.until > now;
    onLookup(lasting);
    if (lasting) return { accepted: known, cached: true };
    const refused = refusals.get(key);
    if (refused !== undefined && refused.until > clock()) throw refused.problem;
    const { online } = config;
    const { answer, cached } = await inSlot(config.projectId, async () =>
      online === undefined
        ? { answer: await offlineAnswer(bearer, key, unverified, config, now), cached: false }
        : onlineAnswer(key, {
            bearer,
            unverified,
            config,
            online,
            issuer: issuerBy(config),
            now,
            skewSeconds,
          }),
    );
    const accepted = accept(config, answer);
    if (accepted.until > now) tokens.set(key, accepted);
    return { accepted, cached };
  };

  const upsert = async (
    project: IntrospectedProject["project"],
    config: IntrospectionConfig,
    { payload, subject, mapped }: Accepted,
  ): Promise<void> => {
    // An answer about an opaque token need not name an issuer, or may name it by anything.
    const named = typeof payload.iss === "string" ? payload.iss : (config.opaqueMatcher?.hint ?? "");
    const source = config.jwtMatcher?.issuer ?? named;
    try {
      await writeNode(project, config, { subject, mapped: mapped.values, source });
    } catch (error) {
      nodesFailed.inc({});
      log.warn("node of a bearer not written", {
        configuration: config.id,
        reason: error instanceof Problem ? error.code : error instanceof Error ? error.name : "unknown",
      });
    }
  };

  /** What is told when a token is not accepted, and what of it is logged: never the token, never a claim. */
  const refusal = (error: unknown, digest: string, config: IntrospectionConfig | undefined): unknown => {
    const away = error instanceof EgressError || error instanceof CircuitOpen;
    const problem = away ? bearerNotJudged(error) : error;
    if (!(problem instanceof Problem)) return error;
    const about = {
      token_sha256: digest.slice(0, shownDigits),
      ...(config === undefined ? {} : { configuration: config.id }),
    };
    if (problem.status === 401) log.warn("bearer refused", { ...about, reason: problem.message });
    else {
      const reason = problem.code === "too_many_requests" ? "limit" : reasonOf(problem.cause);
      notJudged.inc({ reason });
      log.warn("bearer not judged", { ...about, reason });
    }
    return problem;
  };

  const choose = (bearer: string, configs: readonly IntrospectionConfig[]): Chosen => {
    if (bearer.length > maxToken) throw bearerRefused("too long");
    // An issuer that judges opaque tokens would get to know it.
    if (isOwnCredential(bearer)) throw bearerRefused("a key or service-account token is not a user's token");
    const unverified = decodeUnverified(bearer);
    const config = selectConfig(unverified, configs);
    if (config === undefined) throw bearerRefused("no configuration matches");
    return { unverified, config };
  };

  return {
    introspect: async (bearer, { project, introspects }, now, judged) => {
      const digest = hash("sha256", bearer, "hex");
      let config: IntrospectionConfig | undefined;
      const tell = (result: Judgement["result"], cached: boolean, error?: string): void =>
        judged?.({ configId: config?.id, result, error, tokenHash: digest.slice(0, shownDigits), cached });
      let accepted: Accepted;
      try {
        const chosen = choose(bearer, introspects);
        ({ config } = chosen);
        const found = await judge(bearer, digest, chosen.unverified, config, now);
        ({ accepted } = found);
        tell("active", found.cached);
      } catch (error) {
        const refused = refusal(error, digest, config);
        const away = !(refused instanceof Problem) || refused.status !== 401;
        tell(
          away ? "not_judged" : "refused",
          false,
          refused instanceof Problem ? refused.message : "internal",
        );
        if (!away) await refusalPace(project.id);
        throw refused;
      }
      if (config.performUpsert) await upsert(project, config, accepted);
      return {
        subject: accepted.subject,
        claims: { ...accepted.claims, ...momentaryClaims(accepted.payload, now) },
        configId: config.id,
        nodeType: config.nodeType,
      };
    },
    close: async () => {
      for (const breaker of breakers.values()) breaker.shutdown();
      await egress.close();
    },
  };
};
