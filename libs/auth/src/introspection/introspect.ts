import { hash } from "node:crypto";
import type { JWTPayload } from "jose";
import { Problem } from "@ikg/contracts";
import { type Breaker, openBreaker, openEgress } from "@ikg/egress";
import { boundedMap } from "../bounded-map.ts";
import type { AuthLog } from "../credentials.ts";
import { bearerRefused } from "./challenge.ts";
import { lastingClaims, momentaryClaims } from "./claims.ts";
import { issuerKeys } from "./issuer-keys.ts";
import { type KeyFinder, registeredKeys } from "./keys.ts";
import type { IntrospectionConfig, Token } from "./types.ts";
import { decodeUnverified, precheck, selectConfig } from "./unverified.ts";
import { subjectOf, verifyToken } from "./verify.ts";

/** The settings that introspection follows; `EgressSettings` of a service has them all. */
export interface IntrospectionSettings {
  readonly TOKEN_CLOCK_SKEW_SECONDS: number;
  readonly EGRESS_ALLOW_HTTP: boolean;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
  readonly EGRESS_ALLOW_CIDRS: readonly string[];
}

export interface IntrospectionParts {
  readonly settings: IntrospectionSettings;
  readonly log: AuthLog;
}

export interface Introspection {
  /**
   * Verifies the end user's token by the configurations of one project (runtime specification 2).
   *
   * @param now milliseconds; the moment that `exp`, `auth_age` and the like are judged at.
   * @throws Problem `bearer_invalid` (401) with a challenge; `unavailable` (503) when the issuer's keys cannot be had.
   */
  introspect(bearer: string, configs: readonly IntrospectionConfig[], now: number): Promise<Token>;
  close(): Promise<void>;
}

interface Remembered {
  readonly payload: JWTPayload;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly until: number;
}

/** Decision 26: until the earlier of `exp` and 10 minutes. */
const rememberMs = 600_000;
const rememberedTokens = 10_000;
const rememberedKeys = 1_000;

export const openIntrospection = ({ settings, log }: IntrospectionParts): Introspection => {
  const skewSeconds = settings.TOKEN_CLOCK_SKEW_SECONDS;
  const egress = openEgress({
    allowHttp: settings.EGRESS_ALLOW_HTTP,
    allowHosts: settings.EGRESS_ALLOW_HOSTS,
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
  });
  const tokens = boundedMap<string, Remembered>(rememberedTokens);
  const finders = boundedMap<string, KeyFinder>(rememberedKeys);
  const breakers = boundedMap<string, Breaker>(rememberedKeys, (breaker) => breaker.shutdown());

  const breakerOf = (issuer: string): Breaker => {
    const known = breakers.get(issuer);
    if (known !== undefined) return known;
    const made = openBreaker(
      `issuer ${issuer}`,
      { capacity: 32 },
      { onOpen: (name) => log.warn("circuit open", { circuit: name }) },
    );
    breakers.set(issuer, made);
    return made;
  };

  const keysOf = (config: IntrospectionConfig): KeyFinder => {
    const id = `${config.id}/${config.version}`;
    const known = finders.get(id);
    if (known !== undefined) return known;
    const registered = config.offline?.publicJwks ?? [];
    const issuer = config.jwtMatcher?.issuer ?? "";
    const made =
      registered.length > 0
        ? registeredKeys(registered)
        : issuerKeys(issuer, egress, breakerOf(issuer), Date.now);
    finders.set(id, made);
    return made;
  };

  const tokenOf = (remembered: Remembered, config: IntrospectionConfig, now: number): Token => ({
    subject: remembered.subject,
    claims: { ...remembered.claims, ...momentaryClaims(remembered.payload, now) },
    configId: config.id,
    nodeType: config.nodeType,
  });

  const judge = async (
    bearer: string,
    digest: string,
    configs: readonly IntrospectionConfig[],
    now: number,
  ): Promise<Token> => {
    const unverified = decodeUnverified(bearer);
    const config = unverified && selectConfig(unverified.payload, configs);
    if (unverified === undefined || config === undefined) throw bearerRefused("no configuration matches");
    const key = `${digest}/${config.id}/${config.version}`;
    const known = tokens.get(key);
    if (known !== undefined && known.until > now) return tokenOf(known, config, now);
    precheck(unverified, now, skewSeconds);
    const payload = await verifyToken(bearer, config, keysOf(config), now, skewSeconds);
    const subject = subjectOf(payload, config);
    const until = Math.min((payload.exp ?? 0) * 1000, now + rememberMs);
    const remembered = { payload, subject, claims: lastingClaims(payload, subject, config), until };
    tokens.set(key, remembered);
    return tokenOf(remembered, config, now);
  };

  return {
    introspect: async (bearer, configs, now) => {
      const digest = hash("sha256", bearer, "hex");
      try {
        return await judge(bearer, digest, configs, now);
      } catch (error) {
        if (error instanceof Problem)
          log.warn("bearer refused", { token_sha256: digest.slice(0, 16), reason: error.message });
        throw error;
      }
    },
    close: async () => {
      for (const breaker of breakers.values()) breaker.shutdown();
      await egress.close();
    },
  };
};
