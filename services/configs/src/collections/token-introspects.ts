import { createHash } from "node:crypto";
import { type CreateTokenIntrospect, tokenIntrospectRequest } from "@ikg/contracts";
import type { Collection } from "./collection.ts";

/** One configuration per issuer and audience of a project; hashed because both together may exceed an index key. */
const matcherKey = (
  projectId: string,
  { issuer, audience }: CreateTokenIntrospect["jwt_matcher"],
): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([issuer, audience]))
    .digest("base64url");
  return `token_introspect/${projectId}/${digest}`;
};

/** api specification 9.10, runtime specification 2.1. */
export const tokenIntrospects = (settings: {
  readonly allowHttp: boolean;
}): Collection<CreateTokenIntrospect> => ({
  kind: "token_introspect",
  path: "/token-introspects",
  singular: "token_introspect",
  plural: "token_introspects",
  request: tokenIntrospectRequest(settings),
  parent: { kind: "project", field: "project_id", of: (body) => body.project_id },
  scope: "project",
  named: true,
  once: (body, projectId) => ({
    key: matcherKey(projectId, body.jwt_matcher),
    fault: "jwt_matcher: the project has a configuration for this issuer and audience",
  }),
  content: (body) => ({
    data: {
      jwt_matcher: body.jwt_matcher,
      offline_validation: body.offline_validation,
      claims_mapping: body.claims_mapping,
      sub_claim: body.sub_claim,
      ikg_node_type: body.ikg_node_type,
      perform_upsert: body.perform_upsert,
    },
  }),
  present: (record) => record.data,
});
