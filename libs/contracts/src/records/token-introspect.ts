import { z } from "zod";
import { text } from "../names.ts";
import { claimSelector, claimsMapping } from "./claims-mapping.ts";
import {
  type BodyOf,
  type Combination,
  createBody,
  type RecordDescription,
  updateBody,
} from "./description.ts";
import { namedRecord, nameFields, parent, projectParents, writableNodeType } from "./fields.ts";
import { optional } from "../optional.ts";
import { foreignUrl } from "./foreign-url.ts";
import { isGiven, type OnlineValidation, onlineValidation } from "./online-validation.ts";
import { publicJwk } from "./public-jwk.ts";

interface Options {
  /** http addresses of issuers pass (`EGRESS_ALLOW_HTTP`). */
  readonly allowHttp: boolean;
}

const publicJwks = z.array(publicJwk, { error: "array expected" }).max(10, { error: "at most 10 entries" });

const fieldsOf = (options: Options) =>
  ({
    project_id: parent("project"),
    ...nameFields,
    jwt_matcher: {
      schema: z.object({ issuer: foreignUrl(options), audience: text(1, 150) }),
      create: "optional",
      update: "replaced",
      rule: "`{issuer, audience}`: https URL, compared with `iss` as text, and 1-150 characters; unique in the project",
    },
    opaque_matcher: {
      schema: z.object({ hint: text(1, 50) }),
      create: "optional",
      update: "replaced",
      rule: "`{hint}` of 1-50 characters, for tokens that are no JWTs; one in a project; not together with `jwt_matcher`",
    },
    offline_validation: {
      schema: z.object({ public_jwks: optional(publicJwks) }),
      create: "optional",
      update: "replaced",
      rule: "`{public_jwks}`: at most 10 public JWKs, each as JSON text of 96-8,192 characters; without any they are fetched from the issuer",
    },
    online_validation: {
      schema: onlineValidation(options),
      create: "optional",
      update: "replaced",
      sealed: true,
      maskForRead: ({ client_secret: _hidden, ...shown }: OnlineValidation) => shown,
      rule: "`{userinfo_endpoint, cache_ttl}` or `{introspection_endpoint, client_id, client_secret, cache_ttl}`; `cache_ttl` 0-3,600 s; not together with `offline_validation`; `client_secret` never comes back",
    },
    claims_mapping: {
      schema: claimsMapping,
      create: "defaulted",
      default: {},
      update: "replaced",
      rule: "property name to `{selector}`, the name of a claim",
    },
    sub_claim: {
      schema: z.union([text(1, 200), claimSelector], { error: "1-200 characters, or {selector}" }),
      create: "optional",
      update: "replaced",
      rule: "claim that names the subject, 1-200 characters or `{selector}`; `sub` when unset",
    },
    ikg_node_type: {
      schema: writableNodeType,
      create: "required",
      update: "required",
      rule: "node type of 2-64 characters",
    },
    perform_upsert: {
      schema: z.boolean({ error: "boolean expected" }),
      create: "defaulted",
      default: false,
      update: "replaced",
      rule: "true: the node of the subject is written from the mapped claims",
    },
  }) as const;

const hasEndpoint = (online: unknown): boolean =>
  typeof online === "object" &&
  online !== null &&
  (("userinfo_endpoint" in online && isGiven(online.userinfo_endpoint)) ||
    ("introspection_endpoint" in online && isGiven(online.introspection_endpoint)));

/** What no single field shows. */
const combination: Combination = (body, fault) => {
  const jwt = isGiven(body["jwt_matcher"]);
  const opaque = isGiven(body["opaque_matcher"]);
  const offline = isGiven(body["offline_validation"]);
  if (!jwt && !opaque) fault(["jwt_matcher"], "required, unless there is an opaque_matcher");
  if (jwt && opaque) fault(["opaque_matcher"], "not together with jwt_matcher");
  if (offline && isGiven(body["online_validation"]))
    fault(["online_validation"], "not together with offline_validation");
  if (jwt || !opaque) return;
  if (offline) fault(["offline_validation"], "only with jwt_matcher");
  // Without a matcher for JWTs there is no issuer whose discovery document could name an endpoint.
  if (!hasEndpoint(body["online_validation"]))
    fault(["online_validation"], "userinfo_endpoint or introspection_endpoint required with opaque_matcher");
};

const selector = z.object({ selector: z.string() });

export const TokenIntrospectRecord = z.object({
  ...namedRecord,
  ...projectParents,
  jwt_matcher: z.object({ issuer: z.string(), audience: z.string() }).optional(),
  opaque_matcher: z.object({ hint: z.string() }).optional(),
  offline_validation: z.object({ public_jwks: z.array(z.string()).optional() }).optional(),
  online_validation: z
    .object({
      userinfo_endpoint: z.string().optional(),
      cache_ttl: z.number().optional(),
      introspection_endpoint: z.string().optional(),
      client_id: z.string().optional(),
    })
    .optional(),
  claims_mapping: z.record(z.string(), selector),
  sub_claim: z.union([z.string(), selector]).optional(),
  ikg_node_type: z.string(),
  perform_upsert: z.boolean(),
});

type TokenIntrospectFields = ReturnType<typeof fieldsOf>;

/** A create body, parsed. */
export type CreateTokenIntrospect = BodyOf<TokenIntrospectFields>;

export const tokenIntrospectUnder = (options: Options) => {
  const fields = fieldsOf(options);
  return {
    kind: "token_introspect",
    path: "/token-introspects",
    singular: "token_introspect",
    plural: "token_introspects",
    parent: { kind: "project", field: "project_id" },
    scope: "project",
    hasName: true,
    fields,
    record: TokenIntrospectRecord,
    create: createBody(fields, combination),
    update: updateBody(fields, combination),
  } satisfies RecordDescription<typeof fields>;
};

export const tokenIntrospectCollection = tokenIntrospectUnder({ allowHttp: false });

/** What one project may have once: a configuration for an issuer and audience, and one for opaque tokens. */
export const matcherOf = ({
  jwt_matcher: jwt,
}: Pick<CreateTokenIntrospect, "jwt_matcher">): {
  readonly parts: readonly string[];
  readonly fault: string;
} =>
  jwt === undefined
    ? { parts: ["opaque"], fault: "opaque_matcher: the project has a configuration for opaque tokens" }
    : {
        parts: [jwt.issuer, jwt.audience],
        fault: "jwt_matcher: the project has a configuration for this issuer and audience",
      };
