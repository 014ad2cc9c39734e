import type { StoredRow } from "./stored.ts";

/** A token introspection configuration as `auth` wants it (runtime specification 2.1). */
export interface StoredIntrospect {
  readonly id: string;
  readonly version: number;
  readonly createTime: string;
  readonly projectId: string;
  readonly jwtMatcher: { readonly issuer: string; readonly audience: string };
  /** Keys given with the configuration; without any they come from the issuer. */
  readonly offline: { readonly publicJwks: readonly string[] };
  readonly claimsMapping: Readonly<Record<string, { readonly selector: string }>>;
  /** The claim that names the subject. */
  readonly subClaim: string;
  readonly nodeType: string;
  readonly performUpsert: boolean;
}

/** Fields as the configs service stores them. */
interface IntrospectData {
  readonly jwt_matcher: StoredIntrospect["jwtMatcher"];
  readonly offline_validation?: { readonly public_jwks?: readonly string[] };
  readonly claims_mapping: StoredIntrospect["claimsMapping"];
  readonly sub_claim?: string | { readonly selector: string };
  readonly ikg_node_type: string;
  readonly perform_upsert: boolean;
}

export const introspectOf = (projectId: string, row: StoredRow): StoredIntrospect => {
  const data = row.data as unknown as IntrospectData; // written from the contract's schema alone
  const { sub_claim: sub } = data;
  return {
    id: row.id,
    version: row.version,
    createTime: row.createTime,
    projectId,
    jwtMatcher: data.jwt_matcher,
    offline: { publicJwks: data.offline_validation?.public_jwks ?? [] },
    claimsMapping: data.claims_mapping,
    subClaim: typeof sub === "object" ? sub.selector : (sub ?? "sub"),
    nodeType: data.ikg_node_type,
    performUpsert: data.perform_upsert,
  };
};
