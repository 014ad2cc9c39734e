/** Neo4j and Redis in containers of Testcontainers, for processes of this machine. */
import { randomBytes } from "node:crypto";
import { Neo4jContainer } from "@testcontainers/neo4j";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { step } from "../../launch/progress.mjs";
import { redisMaxMemory } from "../stores/redis.ts";
import {
  imageVariable,
  javaOptionsFile,
  javaOptionsInContainer,
  memorySettings,
  readJavaOptions,
} from "../stores/neo4j-memory.ts";
import type { OwnNeo4j } from "../settings.ts";
import type { Backend } from "../suite.ts";
import { ownerLabel } from "./abandoned.ts";

/** A machine under load takes long for a first start. */
const startWithinMs = 180_000;

/** As docker-compose.yml sets them, with memory for tests. */
const neo4jSettings = {
  ...Object.fromEntries(
    Object.entries(memorySettings({ heap: [512, 1024], pageCache: 256 })).map(([name, value]) => [
      imageVariable(name),
      value,
    ]),
  ),
  NEO4J_server_jvm_additional: readJavaOptions(javaOptionsInContainer),
  NEO4J_server_memory_query__cache_per__db__cache__num__entries: "5000",
  NEO4J_db_transaction_timeout: "30s",
  NEO4J_db_lock_acquisition_timeout: "10s",
  NEO4J_dbms_usage__report_enabled: "false",
};

const labels = { [ownerLabel]: String(process.pid) };

const password = (): string => randomBytes(24).toString("hex");

const startNeo4j = async () => {
  const container = await new Neo4jContainer("neo4j:5.26-community")
    .withPassword(password())
    .withEnvironment(neo4jSettings)
    .withCopyFilesToContainer([{ source: javaOptionsFile, target: javaOptionsInContainer }])
    .withLabels(labels)
    .withStartupTimeout(startWithinMs)
    .start();
  const address: OwnNeo4j = {
    uri: container.getBoltUri().replace(/\/$/, ""),
    username: container.getUsername(),
    password: container.getPassword(),
  };
  return { container, address };
};

const startRedis = async () => {
  const secret = password();
  const container = await new GenericContainer("redis:7")
    .withCommand([
      "sh",
      "-c",
      `printf 'requirepass %s\\nmaxmemory ${redisMaxMemory}\\nmaxmemory-policy noeviction\\n' "$REDIS_PASSWORD" | exec redis-server -`,
    ])
    .withEnvironment({ REDIS_PASSWORD: secret })
    .withLabels(labels)
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage("Ready to accept connections"))
    .withStartupTimeout(startWithinMs)
    .start();
  const url = `redis://:${secret}@${container.getHost()}:${container.getMappedPort(6379)}`;
  return { container, url };
};

/** Its own clean-up container is one image more to get; everything is removed below, whatever happens. */
const configure = (): void => {
  process.env["TESTCONTAINERS_RYUK_DISABLED"] ??= "true";
  // By number: databases of projects may be on loopback in tests, and names that look internal may not.
  if (process.env["DOCKER_HOST"] === undefined) process.env["TESTCONTAINERS_HOST_OVERRIDE"] ??= "127.0.0.1";
};

export interface ContainerStores extends Backend {
  /** of projects that bring a database */
  readonly secondNeo4j: OwnNeo4j;
}

/** Lends the stores to `work`, and removes them. */
export const withStores = async <T>(work: (stores: ContainerStores) => Promise<T>): Promise<T> => {
  configure();
  const started: StartedTestContainer[] = [];
  const start = async <S extends { readonly container: StartedTestContainer }>(
    title: string,
    begin: () => Promise<S>,
  ): Promise<S> => {
    const store = await step(`${title} by Testcontainers`, begin);
    started.push(store.container);
    return store;
  };
  try {
    const neo4j = await start("Neo4j", startNeo4j);
    const second = await start("a second Neo4j", startNeo4j);
    const redis = await start("Redis", startRedis);
    return await work({ neo4j: neo4j.address, secondNeo4j: second.address, redisUrl: redis.url });
  } finally {
    await step("removing the stores", () => Promise.all(started.map((each) => each.stop())));
  }
};
