import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBootstrap } from "../../stack/src/parts/bootstrap.ts";
import { removeScratchOrganization, scratchSlot } from "../../stack/src/parts/scratch-organization.ts";
import { freePort } from "../../stack/src/ports.ts";
import { startProcess, type TestProcess } from "./processes.ts";

/** What a deployment of a test's own stands on: the Neo4j of the suite, with keys, an organization and a Redis of its own. */
export interface Foundation {
  /** What every process is told. */
  readonly variables: Readonly<Record<string, string>>;
  readonly organizationId: string;
  readonly token: string;
  readonly redis: {
    stop(): Promise<void>;
    start(): Promise<void>;
  };
  close(): Promise<void>;
}

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: npm test sets it`);
  return value;
};

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const answer = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });

const startRedis = (port: number): Promise<TestProcess> =>
  startProcess({
    program: "redis-server",
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", ""],
    env: {},
    isReady: () => isOpen(port),
  });

/** Lays it; whoever does calls `close` when the processes on it have ended. */
export const layFoundation = async (): Promise<Foundation> => {
  const redisPort = await freePort();
  const key = (): string => randomBytes(32).toString("base64");
  const neo4j = {
    uri: required("NEO4J_URI"),
    username: required("NEO4J_USERNAME"),
    password: required("NEO4J_PASSWORD"),
  };
  const variables = {
    NEO4J_URI: neo4j.uri,
    NEO4J_USERNAME: neo4j.username,
    NEO4J_PASSWORD: neo4j.password,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    CREDENTIAL_PEPPER: key(),
    INTERNAL_CONTEXT_KEY: key(),
    CONFIG_ENCRYPTION_KEY: key(),
    // The suite on the same database keeps its own, sealed by a key that is not here.
    AUDIT_PLATFORM_KEY_JWK: JSON.stringify(
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
    ),
    DRAIN_DELAY_MS: "0",
  };
  let redis = await startRedis(redisPort);
  const file = join(tmpdir(), `ikg-e2e-${randomUUID()}.json`);
  const { organization_id: organizationId, service_account_token: token } = await runBootstrap({
    file,
    backend: { neo4j, redisUrl: variables.REDIS_URL },
    pepper: variables.CREDENTIAL_PEPPER,
    publicUrl: "http://127.0.0.1",
    slot: scratchSlot(),
    signal: new AbortController().signal,
  }).finally(() => rmSync(file, { force: true }));
  return {
    variables,
    organizationId,
    token,
    redis: {
      stop: () => redis.end("SIGKILL"),
      start: async () => {
        redis = await startRedis(redisPort);
      },
    },
    close: async () => {
      await redis.end("SIGKILL");
      await removeScratchOrganization(neo4j, organizationId);
    },
  };
};
