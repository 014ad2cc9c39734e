/** A gateway of a measurement's own, as the suite starts it, with one service in the place of every one behind it. */
import type { Target } from "./settings.ts";

export const gatewayProgram = new URL("../../services/gateway/src/main.ts", import.meta.url);

/** Its environment. */
export const gatewayBefore = (target: Target, upstream: string): Readonly<Record<string, string>> => ({
  NEO4J_URI: target.neo4j.uri,
  NEO4J_USERNAME: target.neo4j.username,
  NEO4J_PASSWORD: target.neo4j.password,
  REDIS_URL: target.redisUrl,
  INTERNAL_CONTEXT_KEY: Buffer.from(target.internalContextKey).toString("base64"),
  CREDENTIAL_PEPPER: target.credentialPepper,
  UPSTREAM_CONFIGS: upstream,
  UPSTREAM_CAPTURE: upstream,
  UPSTREAM_ACCESS: upstream,
  UPSTREAM_CIQ: upstream,
});
