import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import neo4j from "neo4j-driver";
import { second, startNeo4j } from "../src/stores/neo4j.ts";
import { freePort, isOpen } from "../src/ports.ts";
import type { Child } from "../src/processes/child.ts";
import { makeScratch, type Scratch } from "../src/scratch.ts";
import { readOrMakeSecrets, type Secrets } from "../src/secrets.ts";
import { newSuite } from "../src/suite.ts";
import { prepareExtra } from "../src/system/prepare.ts";
import { eventually } from "../src/testing/eventually.ts";
import { documentedLines, runDocumentedCommands } from "../src/testing/suites/documented-commands.ts";
import { runService } from "../src/testing/servers/run-service.ts";
import { startServiceProcess } from "../src/testing/servers/service-process.ts";
import { startProcess, type TestProcess } from "../src/testing/servers/test-process.ts";
import { versions } from "../src/versions.ts";

/** A Neo4j and a Redis with the certificates and the settings of docs/operations.md. */
let scratch: Scratch;
let secrets: Secrets;
let folder: string;
let neo4jServer: Child;
let redisServer: TestProcess;
let [neo4jPort, redisPort] = [0, 0];

const placed = (line: string): string => line.replace("/certificates", folder);

const startTlsNeo4j = async (): Promise<void> => {
  const { signal } = new AbortController();
  const java = await prepareExtra(versions, signal);
  if (java === undefined) throw new Error("the embedded Neo4j needs Java");
  secrets = readOrMakeSecrets(scratch.home);
  const suite = newSuite({ home: scratch.home, secrets, signal, purpose: "test" });
  const settings = documentedLines("Neo4j takes it with these settings")
    .map((line) => placed(line).split("="))
    .map(([name = "", value = ""]) => [name, value] as const);
  neo4jPort = await freePort();
  neo4jServer = await startNeo4j(suite, java, neo4jPort, {
    ...second,
    settings: Object.fromEntries(settings),
  });
  const driver = neo4j.driver(
    `bolt://localhost:${neo4jPort}`,
    neo4j.auth.basic("neo4j", secrets.neo4j_password),
    {
      encrypted: "ENCRYPTION_ON",
      trust: "TRUST_CUSTOM_CA_SIGNED_CERTIFICATES",
      trustedCertificates: [join(folder, "stores-ca.crt")],
    },
  );
  const connect = (): Promise<unknown> =>
    driver.verifyConnectivity({ database: "neo4j" }).then(
      () => undefined,
      (error: unknown) => error,
    );
  try {
    await eventually(connect, (error) => error === undefined, { withinMs: 300_000, everyMs: 200 });
  } finally {
    await driver.close();
  }
};

const startTlsRedis = async (): Promise<void> => {
  redisPort = await freePort();
  const lines = documentedLines("and Redis with these").map(placed);
  const file = join(folder, "redis.conf");
  const text = lines.join("\n").replace("tls-port 6379", `tls-port ${redisPort}`);
  writeFileSync(file, `${text}\nbind 127.0.0.1\nsave ""\ndir ${folder}\n`);
  const isReady = () => isOpen(redisPort);
  redisServer = await startProcess({ program: "redis-server", args: [file], env: {}, isReady });
};

beforeAll(async () => {
  scratch = await makeScratch();
  folder = await runDocumentedCommands("certificates of stores");
  await Promise.all([startTlsNeo4j(), startTlsRedis()]);
}, 600_000);
afterAll(async () => {
  await redisServer?.end("SIGKILL");
  await neo4jServer?.stop();
  scratch.remove(false);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const settings = (scheme: string) => ({
  NEO4J_URI: `${scheme}://localhost:${neo4jPort}`,
  NEO4J_PASSWORD: secrets.neo4j_password,
  REDIS_URL: `rediss://localhost:${redisPort}`,
  CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  TRUST_CONCURRENCY: "0",
  DRAIN_DELAY_MS: "0",
});

describe.each(["bolt+s", "neo4j+s"])("Neo4j and Redis as documented, by %s", (scheme) => {
  it("are used by a process that trusts their authority", async () => {
    const NODE_EXTRA_CA_CERTS = join(folder, "stores-ca.crt");
    const { running } = await startServiceProcess("trust-scorer", {
      ...settings(scheme),
      NODE_EXTRA_CA_CERTS,
    });
    await running.end();
  }, 120_000);

  it("are refused by one that does not, and without TLS", async () => {
    const untrusted = "its certificate is from an authority that is not trusted here";
    const { code, lines } = await runService("trust-scorer", settings(scheme));
    expect([code, String(lines.at(-1)?.["msg"])]).toEqual([1, expect.stringContaining(untrusted)]);
    const plain = { NEO4J_URI: `bolt://localhost:${neo4jPort}`, START_TIMEOUT_SECONDS: "5" };
    expect((await runService("trust-scorer", { ...settings(scheme), ...plain })).code).toBe(1);
  }, 180_000);
});
