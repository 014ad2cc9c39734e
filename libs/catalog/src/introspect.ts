import { type KeyRing, open } from "@ikg/secrets";
import type { Log } from "./policies.ts";
import type { StoredRow } from "./stored.ts";

interface OnlineValidation {
  readonly userinfoEndpoint: string | undefined;
  readonly introspection:
    | { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string }
    | undefined;
  /** Seconds. */
  readonly cacheTtl: number;
}

/**
 * A token introspection configuration. Its members are those of `IntrospectionConfig` of `@ikg/auth`, which cannot be
 * imported here; services pass one as the other, so that the type check compares them.
 */
export interface StoredIntrospect {
  readonly id: string;
  readonly version: number;
  readonly createTime: string;
  readonly projectId: string;
  /** For JWTs; exactly one of the two matchers is there. */
  readonly jwtMatcher: { readonly issuer: string; readonly audience: string } | undefined;
  readonly opaqueMatcher: { readonly hint: string } | undefined;
  /** Keys given with the configuration; without any they come from the issuer. */
  readonly offline: { readonly publicJwks: readonly string[] };
  /** Every token is introspected at its issuer. */
  readonly online: OnlineValidation | undefined;
  readonly claimsMapping: Readonly<Record<string, { readonly selector: string }>>;
  /** The claim that names the subject. */
  readonly subClaim: string;
  readonly nodeType: string;
  readonly performUpsert: boolean;
}

/** `online_validation`, opened. */
interface OnlineData {
  readonly userinfo_endpoint?: string;
  readonly introspection_endpoint?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly cache_ttl?: number;
}

/** Fields as the configs service stores them. */
interface IntrospectData {
  readonly jwt_matcher?: StoredIntrospect["jwtMatcher"];
  readonly opaque_matcher?: StoredIntrospect["opaqueMatcher"];
  readonly offline_validation?: { readonly public_jwks?: readonly string[] };
  /** Sealed as a whole, because it holds a secret. */
  readonly online_validation?: string;
  readonly claims_mapping: StoredIntrospect["claimsMapping"];
  readonly sub_claim?: string | { readonly selector: string };
  readonly ikg_node_type: string;
  readonly perform_upsert: boolean;
}

const onlineOf = (data: OnlineData): OnlineValidation => {
  const {
    introspection_endpoint: endpoint,
    client_id: clientId = "",
    client_secret: clientSecret = "",
  } = data;
  return {
    userinfoEndpoint: data.userinfo_endpoint,
    introspection: endpoint === undefined ? undefined : { endpoint, clientId, clientSecret },
    cacheTtl: data.cache_ttl ?? 0,
  };
};

const introspectOf = (
  projectId: string,
  row: StoredRow,
  data: IntrospectData,
  online: OnlineValidation | undefined,
): StoredIntrospect => {
  const { sub_claim: sub } = data;
  return {
    id: row.id,
    version: row.version,
    createTime: row.createTime,
    projectId,
    jwtMatcher: data.jwt_matcher,
    opaqueMatcher: data.opaque_matcher,
    offline: { publicJwks: data.offline_validation?.public_jwks ?? [] },
    online,
    claimsMapping: data.claims_mapping,
    subClaim: typeof sub === "object" ? sub.selector : (sub ?? "sub"),
    nodeType: data.ikg_node_type,
    performUpsert: data.perform_upsert,
  };
};

/**
 * The configuration of a row, or undefined when its sealed part cannot be decrypted: a token that needs introspection then
 * matches no configuration, so that it is rejected and not verified by weaker means.
 */
export const decryptIntrospect = (
  projectId: string,
  row: StoredRow,
  keys: KeyRing | undefined,
  log: Log,
): StoredIntrospect | undefined => {
  const data = row.data as unknown as IntrospectData; // written from the contract's schema alone
  try {
    if (data.online_validation === undefined) return introspectOf(projectId, row, data, undefined);
    if (keys === undefined) return undefined;
    const place = { record: row.id, field: "online_validation" };
    const online = JSON.parse(open(keys, place, data.online_validation)) as OnlineData; // sealed by configs
    return introspectOf(projectId, row, data, onlineOf(online));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    log.warn("token introspect cannot be opened", { id: row.id, reason });
    return undefined;
  }
};
