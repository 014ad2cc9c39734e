import { z } from "zod";
import { namePattern, text } from "../names.ts";
import { type ClaimsMapping, claimSelector, claimsMapping } from "./claims-mapping.ts";
import { gidOf, namedFields, namedRecord, notYet, optional, projectParents } from "./fields.ts";
import { publicJwk } from "./public-jwk.ts";

/** An absolute URL of an issuer. Compared with `iss` as text, so it is stored as written. */
const issuer = (allowHttp: boolean) =>
  text(1, 2048).superRefine((value, context) => {
    const fault = (message: string): void => context.addIssue({ code: "custom", message });
    if (!URL.canParse(value) || !/^[!-~]+$/.test(value)) {
      fault("absolute URL expected");
      return;
    }
    const { protocol, username, password, hash } = new URL(value);
    if (protocol !== "https:" && !(allowHttp && protocol === "http:")) fault("https URL expected");
    if (username !== "" || password !== "" || hash !== "") fault("no user name, password or fragment");
  });

/** A node type that callers may write; system types start with an underscore. */
const writableNodeType = text(2, 64).refine((value) => namePattern.test(value) && !value.startsWith("_"), {
  error: "letters, digits and underscores, a letter first",
});

const upsert = z
  .boolean({ error: "boolean expected" })
  .refine((value) => !value, { error: "true is not available yet" });

const publicJwks = z.array(publicJwk, { error: "array expected" }).max(10, { error: "at most 10 entries" });

/**
 * api specification 9.10, runtime specification 2.1. Opaque tokens and online validation are part of the
 * contract and refused by name until they are carried out.
 *
 * @param options `allowHttp`: http issuers pass (`EGRESS_ALLOW_HTTP`).
 */
export const tokenIntrospectRequest = (options: { readonly allowHttp: boolean }) =>
  z.object({
    project_id: gidOf("project"),
    ...namedFields,
    jwt_matcher: z.object({ issuer: issuer(options.allowHttp), audience: text(1, 150) }),
    opaque_matcher: notYet.optional(),
    offline_validation: optional(z.object({ public_jwks: optional(publicJwks) })),
    online_validation: notYet.optional(),
    claims_mapping: optional(claimsMapping).transform((mapping): ClaimsMapping => mapping ?? {}),
    sub_claim: optional(z.union([text(1, 200), claimSelector], { error: "1-200 characters, or {selector}" })),
    ikg_node_type: writableNodeType,
    perform_upsert: optional(upsert).transform((value) => value ?? false),
  });

export const CreateTokenIntrospect = tokenIntrospectRequest({ allowHttp: false });

export type CreateTokenIntrospect = z.output<typeof CreateTokenIntrospect>;

const selector = z.object({ selector: z.string() });

export const TokenIntrospectRecord = z.object({
  ...namedRecord,
  ...projectParents,
  jwt_matcher: z.object({ issuer: z.string(), audience: z.string() }),
  offline_validation: z.object({ public_jwks: z.array(z.string()).optional() }).optional(),
  claims_mapping: z.record(z.string(), selector),
  sub_claim: z.union([z.string(), selector]).optional(),
  ikg_node_type: z.string(),
  perform_upsert: z.boolean(),
});
