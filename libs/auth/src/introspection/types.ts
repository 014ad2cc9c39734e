/** A project's configuration of a token issuer, as its record says (runtime specification 2.1). */
export interface IntrospectionConfig {
  readonly id: string;
  readonly version: number;
  /** RFC 3339 in UTC; the oldest of several that match is taken. */
  readonly createTime: string;
  readonly projectId: string;
  readonly jwtMatcher?: { readonly issuer: string; readonly audience: string } | undefined;
  /** Keys as JSON texts; without any they are fetched from the issuer's discovery document. */
  readonly offline?: { readonly publicJwks: readonly string[] } | undefined;
  readonly claimsMapping: Readonly<Record<string, { readonly selector: string }>>;
  /** Name of the claim that holds the subject. */
  readonly subClaim: string;
  readonly nodeType: string;
  readonly performUpsert: boolean;
}

/** A verified bearer as policies see it. */
export interface Token {
  /** Value of the subject claim: the `external_id` of the caller's node. */
  readonly subject: string;
  /** The `$token` map: verified claims, mapped claims, subject, derived ages. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly configId: string;
  readonly nodeType: string;
}
