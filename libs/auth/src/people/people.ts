import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { type Gid, Problem, type UserCaller } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { CredentialRejected } from "../credential-rejected.ts";
import type { AuthLog } from "../credentials.ts";
import { type IntrospectionSettings, openIntrospection } from "../introspection/introspect.ts";
import { stepUpRequired, type UnmetDemand } from "../introspection/step-up.ts";
import type { Counters, IntrospectedProject, Token } from "../introspection/types.ts";
import { grantsOfBindings, type RoleBinding } from "../role-bindings.ts";
import { type AdministratorBindings, readBindings } from "./bindings.ts";
import { openBindingCache } from "./binding-cache.ts";

/** The issuer of access tokens for administration, and the required strength of sign-ins. */
export interface AdministratorIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** The organization that they administer; undefined: the only one. */
  readonly organization: Gid | undefined;
  /** Accepted authentication contexts (`acr`); empty: any. */
  readonly acrValues: readonly string[];
  /** Seconds since the sign-in at most; 0: any. */
  readonly maxAgeSeconds: number;
}

export interface PeopleParts {
  /** As of `IntrospectionParts`. */
  readonly service: string;
  readonly issuer: AdministratorIssuer;
  readonly settings: IntrospectionSettings;
  readonly graph: Graph;
  readonly redis: Redis;
  readonly log: AuthLog;
  readonly metrics: Counters;
  readonly now?: () => number;
}

/** Authenticates people who administer. */
export interface People {
  /**
   * @param token an access token (RFC 9068) of the issuer.
   * @returns the person with the roles of the bindings that its claims match, perhaps none.
   * @throws Problem `bearer_invalid` (401); `token_filter_failed` (401) with a challenge (RFC 9470) and a `CredentialRejected` as its
   *   cause for a sign-in that is too old or too weak; `role_missing` (403) where it is not known which organization people administer; `credential_not_judged` and
   *   `unavailable` (503).
   */
  user(token: string): Promise<UserCaller>;
  close(): Promise<void>;
}

/** A pseudo project for people, who belong to no project. */
const administrationProject = (issuer: string, audience: string): IntrospectedProject => ({
  // Only the id is used, to pace refusals: without `performUpsert` no graph is written.
  project: { id: "administrators" } as IntrospectedProject["project"],
  introspects: [
    {
      id: "administrators",
      version: 1,
      createTime: "",
      projectId: "administrators",
      jwtMatcher: { issuer, audience },
      claimsMapping: {},
      subClaim: "sub",
      nodeType: "",
      performUpsert: false,
    },
  ],
});

/** A challenge states the whole demand: a new sign-in that meets one half of it would be refused for the other. */
const requireStrength = (
  { claims }: Token,
  { acrValues, maxAgeSeconds }: AdministratorIssuer,
  caller: UserCaller,
): void => {
  const demand = (claim: string, operator: string, value: unknown): UnmetDemand => ({
    claim,
    operator,
    value,
    isNegated: false,
    advice: { error_description: "a stronger or newer sign-in is needed" },
    inherited: undefined,
  });
  const { acr, auth_age: age } = claims;
  const isStrong = acrValues.length === 0 || (typeof acr === "string" && acrValues.includes(acr));
  const isNew = maxAgeSeconds === 0 || (typeof age === "number" && age <= maxAgeSeconds);
  if (isStrong && isNew) return;
  throw stepUpRequired(
    [
      ...(acrValues.length === 0 ? [] : [demand("acr", "IN", acrValues)]),
      ...(maxAgeSeconds === 0 ? [] : [demand("auth_age", "<=", maxAgeSeconds)]),
    ],
    new CredentialRejected(caller, "sign-in too weak or too old"),
  );
};

/**
 * The claim equals the value, or is a list that contains it. Users of some providers set their email address themselves, so it
 * counts only where the provider has verified it (OpenID Connect Core 1.0, section 5.7).
 */
const isMatch = (claims: Token["claims"], { claim, value }: RoleBinding): boolean => {
  if (claim === "email" && claims["email_verified"] !== true) return false;
  const held = claim !== undefined && Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return value !== undefined && (Array.isArray(held) ? held.includes(value) : held === value);
};

const maxName = 256;

const nameIn = ({ name, preferred_username, email }: Token["claims"]): string | undefined =>
  [name, preferred_username, email]
    .find((each) => typeof each === "string" && each !== "")
    ?.toString()
    .slice(0, maxName)
    .toWellFormed();

const callerOf = (
  { subject, claims }: Token,
  issuer: string,
  { organization, bindings }: AdministratorBindings,
): UserCaller => {
  const name = nameIn(claims);
  return {
    kind: "user",
    org: organization,
    issuer,
    sub: subject,
    ...(name === undefined ? {} : { name }),
    grants: grantsOfBindings(
      bindings.filter((each) => isMatch(claims, each)),
      organization,
    ),
  };
};

interface Known {
  readonly caller: UserCaller;
  readonly bindings: AdministratorBindings;
}

const maxKnown = 10_000;

export const openPeople = (parts: PeopleParts): People => {
  const { issuer, graph, redis, log, now = Date.now } = parts;
  const introspection = openIntrospection(parts);
  const bindings = openBindingCache(() => readBindings(graph.shared, issuer.organization), redis, log, now);
  const project = administrationProject(issuer.issuer, issuer.audience);
  /** By the hash of the token. Callers are cached because a context is signed once per caller object. */
  const known = new LRUCache<string, Known>({ max: maxKnown });

  const currentBindings = async (): Promise<AdministratorBindings> => {
    const current = await bindings.current().catch((cause: unknown) => {
      throw new Problem("credential_not_judged", { headers: { "Retry-After": "5" }, cause });
    });
    if (current !== undefined) return current;
    log.warn("no organization, or several: OIDC_ORGANIZATION must name the one that people administer");
    throw new Problem("role_missing");
  };

  return {
    user: async (token) => {
      const verified = await introspection.introspect(token, project, now());
      const current = await currentBindings();
      const digest = hash("sha256", token, "base64");
      const before = known.get(digest);
      const caller =
        before?.bindings === current ? before.caller : callerOf(verified, issuer.issuer, current);
      // The age of a sign-in grows, so it is checked for a cached caller as well.
      requireStrength(verified, issuer, caller);
      if (before?.caller !== caller) known.set(digest, { caller, bindings: current });
      return caller;
    },
    close: async () => {
      await bindings.close();
      await introspection.close();
    },
  };
};
