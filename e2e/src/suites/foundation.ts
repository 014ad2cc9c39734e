import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createScratchOrganization } from "../../../stack/src/stores/scratch-organization.ts";
import type { OwnNeo4j } from "../../../stack/src/settings.ts";
import { newSigningKey, publicKeyOf } from "../../../stack/src/signing-keys.ts";
import { startRedis, type TestRedis } from "../../../stack/src/testing/servers/test-redis.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";

/** What a deployment of a test's own stands on: the Neo4j of the suite, with keys, an organization and a Redis of its own. */
export interface Foundation {
  /** Settings of every process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly organizationId: string;
  readonly token: string;
  readonly redis: TestRedis;
  close(): Promise<void>;
}

/** What a deployment keeps its data in. */
export interface Stores {
  readonly runRedis?: () => Promise<TestRedis>;
  readonly neo4j?: OwnNeo4j;
}

/**
 * Starts it; the caller calls `close` when the processes on it have ended.
 *
 * @param stores others than those of the tests.
 */
export const createFoundation = async ({
  runRedis = startRedis,
  neo4j = neo4jOfTests(),
}: Stores = {}): Promise<Foundation> => {
  const redis = await runRedis();
  const key = (): string => randomBytes(32).toString("base64");
  const [gateway, mcp] = [newSigningKey(), newSigningKey()];
  const variables = {
    NEO4J_URI: neo4j.uri,
    NEO4J_USERNAME: neo4j.username,
    NEO4J_PASSWORD: neo4j.password,
    REDIS_URL: redis.url,
    CREDENTIAL_PEPPER: key(),
    GATEWAY_SIGNING_KEY: gateway,
    GATEWAY_PUBLIC_KEYS: publicKeyOf(gateway),
    MCP_SIGNING_KEY: mcp,
    MCP_PUBLIC_KEYS: publicKeyOf(mcp),
    TOKEN_SEALING_KEY: key(),
    CONFIG_ENCRYPTION_KEY: key(),
    // The suite on the same database keeps its own, sealed by a key that is not here.
    AUDIT_PLATFORM_KEY_JWK: JSON.stringify(
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
    ),
    DRAIN_DELAY_MS: "0",
  };
  const { organizationId, token, remove } = await createScratchOrganization({
    backend: { neo4j, redisUrl: variables.REDIS_URL },
    pepper: variables.CREDENTIAL_PEPPER,
    publicUrl: "http://127.0.0.1",
  }).catch(async (error: unknown) => {
    await redis.close();
    throw error;
  });
  return {
    variables,
    organizationId,
    token,
    redis,
    close: async () => {
      await redis.close();
      await remove();
    },
  };
};
