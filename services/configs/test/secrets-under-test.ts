import { randomBytes } from "node:crypto";
import type { Gid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { freshName } from "./tenant.ts";

/** All that a file has sent. */
export const secrets: string[] = [];

export const newSecret = (): string => {
  const secret = `hidden${randomBytes(9).toString("hex")}`;
  secrets.push(secret);
  return secret;
};

/** Those that a text contains. */
export const holds = (text: string): string[] => secrets.filter((secret) => text.includes(secret));

/** Bodies that bring a secret, by collection. */
export const bodies = {
  "/external-data-resolvers": () => ({
    url: "https://api.example/",
    method: "GET",
    headers: { Authorization: newSecret(), "X-Two": [newSecret()] },
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".",
  }),
  "/token-introspects": () => ({
    jwt_matcher: { issuer: "https://issuer.example", audience: freshName() },
    online_validation: {
      introspection_endpoint: "https://issuer.example/introspect",
      client_id: "me",
      client_secret: newSecret(),
    },
    ikg_node_type: "Person",
  }),
  "/audit-signings": () => ({
    provider: "CUSTOMER_AWS_KMS",
    key_resource: "arn:one",
    kid: "one",
    auth_params: { secret_access_key: newSecret() },
  }),
} as const;

/** Everything that the database holds of an organization, and of its projects' graphs: a text for each node. */
export const storedOf = async (graph: Graph, organization: Gid): Promise<readonly string[]> => {
  const rows = await graph.shared.read(
    "MATCH (n:_Record|_RecordVersion) WHERE n.organization_id = $organization RETURN properties(n) AS properties, labels(n) AS labels " +
      "UNION ALL MATCH (p:_Project {organization_id: $organization}) MATCH (n:_Node) WHERE n._key STARTS WITH p.pk + '/' " +
      "RETURN properties(n) AS properties, labels(n) AS labels",
    { organization },
    { timeoutMs: 80_000 },
  );
  return rows.map((row) => JSON.stringify(row));
};
