import type { NamedProject } from "@ikg/graph-names";
import type { ProjectKey } from "@ikg/physical";

/** How every token is introspected at its issuer. */
export interface OnlineValidation {
  /** Without it, and without `introspection`, the one of the issuer's discovery document. */
  readonly userinfoEndpoint?: string | undefined;
  /** RFC 7662; used instead of userinfo. */
  readonly introspection?:
    | { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string }
    | undefined;
  /** Seconds that a positive response is cached; 0 disables the cache. */
  readonly cacheTtl: number;
}

/** A project's configuration of a token issuer. */
export interface IntrospectionConfig {
  readonly id: string;
  readonly version: number;
  /** RFC 3339 in UTC; the oldest of several that match is taken. */
  readonly createTime: string;
  readonly projectId: string;
  readonly jwtMatcher?: { readonly issuer: string; readonly audience: string } | undefined;
  /** For tokens that are not JWTs; `hint` names their issuer. */
  readonly opaqueMatcher?: { readonly hint: string } | undefined;
  /** Keys as JSON texts; without any they are fetched from the issuer's discovery document. */
  readonly offline?: { readonly publicJwks: readonly string[] } | undefined;
  readonly online?: OnlineValidation | undefined;
  readonly claimsMapping: Readonly<Record<string, { readonly selector: string }>>;
  /** Name of the claim that holds the subject. */
  readonly subClaim: string;
  readonly nodeType: string;
  /** Writes the subject's node from the mapped claims. */
  readonly performUpsert: boolean;
}

/** The metrics of a service, as far as counters are concerned. */
export interface Counters {
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { inc(labels: Record<string, string>): void };
}

/** The project that a bearer token is sent to, with the configurations that may verify it. */
export interface IntrospectedProject {
  readonly project: NamedProject & { readonly pk: ProjectKey };
  readonly introspects: readonly IntrospectionConfig[];
}

/** The outcome of one introspection, without the token and its claims. */
export interface IntrospectionOutcome {
  /** Undefined when no configuration matched. */
  readonly configId: string | undefined;
  readonly result: "active" | "refused" | "not_judged";
  /** Why it is not active; never a text of the issuer. */
  readonly error: string | undefined;
  /** First 16 hexadecimal digits of its SHA-256. */
  readonly tokenHash: string;
  /** No request to an issuer was made and no signature verified. */
  readonly isCached: boolean;
}

/** Called with the outcome of an introspection, whether the token was accepted or not. */
export type OnIntrospected = (outcome: IntrospectionOutcome) => void;

/** A verified bearer as policies see it. */
export interface Token {
  /** Value of the subject claim: the `external_id` of the caller's node. */
  readonly subject: string;
  /** The `$token` map: verified claims, mapped claims, subject, derived ages. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly configId: string;
  readonly nodeType: string;
}
