/** Neo4j and Redis: the person's own where they are named, else embedded ones, started side by side. */
import { step } from "../launch/progress.mjs";
import { UserError } from "../launch/user-error.mjs";
import type { Server } from "./stores/neo4j.ts";
import { heavyStatementsIn } from "./stores/neo4j-memory.ts";
import { askNeo4j, longTerm, startNeo4j, useNeo4j } from "./stores/neo4j.ts";
import { askRedis, redisUrl, startRedis } from "./stores/redis.ts";
import { isOpen } from "./ports.ts";
import type { Child } from "./processes/child.ts";
import { type Phase, usualPauses } from "./processes/children.ts";
import { waitUntilReady } from "./processes/ready.ts";
import { startOnFreePort } from "./processes/start-on-free-port.ts";
import type { OwnNeo4j, StackSettings } from "./settings.ts";
import type { Backend, Suite } from "./suite.ts";
import type { Java } from "./system/java.ts";

const ownTimeoutMs = 5_000;

/** Passwords in an address are not for the screen. */
export const withoutPassword = (address: string): string => {
  const url = URL.parse(address);
  if (!url) return "its address";
  return `${url.protocol}//${url.host}`;
};

const checkOwnNeo4j = async (own: OwnNeo4j): Promise<OwnNeo4j> => {
  const where = withoutPassword(own.uri);
  await step(`Neo4j at ${where}`, async () => {
    const found = await askNeo4j(own, ownTimeoutMs);
    if (!found) return;
    if (Reflect.get(found, "code") === "Neo.ClientError.Security.Unauthorized")
      throw new UserError(`Neo4j at ${where} refuses NEO4J_USERNAME and NEO4J_PASSWORD.`);
    throw new UserError(
      `Neo4j at ${where} cannot be reached. Check NEO4J_URI, or unset it to use the embedded one.`,
    );
  });
  return own;
};

const checkOwnRedis = async (url: string): Promise<string> => {
  const where = withoutPassword(url);
  await step(`Redis at ${where}`, async () => {
    const error = await askRedis(url, ownTimeoutMs);
    if (!error) return;
    if (/NOAUTH|WRONGPASS|AUTH/.test(error.message))
      throw new UserError(`Redis at ${where} refuses the password in REDIS_URL.`);
    throw new UserError(
      `Redis at ${where} cannot be reached. Check REDIS_URL, or unset it to use the embedded one.`,
    );
  });
  return url;
};

const startEmbeddedNeo4j = async (
  suite: Suite,
  java: Java,
  phase: Phase,
  server: Server = longTerm,
): Promise<OwnNeo4j> => {
  const title = `Neo4j ${server.release.neo4j}`;
  const password = suite.secrets.neo4j_password;
  const addressOf = (port: number) => ({ uri: `bolt://127.0.0.1:${port}`, username: "neo4j", password });
  const startOn = async (candidate: number): Promise<Child> => {
    const started = await startNeo4j(suite, java, candidate, server);
    phase.add(started);
    const probe = async () => {
      if (!(await isOpen(candidate))) return false;
      const error = await askNeo4j(addressOf(candidate), 5_000);
      if (error && Reflect.get(error, "code") === "Neo.ClientError.Security.Unauthorized")
        throw new UserError(
          "The password in secrets.json is not the one of the data. Restore the file, or start with empty data: npm start -- --fresh",
        );
      return !error;
    };
    await waitUntilReady(started, probe, { timeoutMs: 300_000, signal: suite.signal });
    return started;
  };
  const { child, port } = await step(
    title,
    () => startOnFreePort(startOn),
    (started) => `${title} on 127.0.0.1:${started.port}`,
  );
  // Tests and measurements fail when their database does; an interactive suite keeps running.
  if (suite.purpose === "serve") phase.replace(child, { start: () => startOn(port), ...usualPauses });
  else phase.watch(child);
  // People who serve have their services warm it; tests and measurements begin at once.
  if (suite.purpose !== "serve") await useNeo4j(addressOf(port));
  return addressOf(port);
};

const startEmbeddedRedis = async (suite: Suite, phase: Phase): Promise<string> => {
  const password = suite.secrets.redis_password;
  const { child, port } = await step(
    "Redis",
    () =>
      startOnFreePort(async (candidate) => {
        const started = startRedis(suite, candidate);
        phase.add(started);
        const probe = async () =>
          (await isOpen(candidate)) && !(await askRedis(redisUrl(password, candidate), 2_000));
        await waitUntilReady(started, probe, { timeoutMs: 120_000, signal: suite.signal });
        return started;
      }),
    (started) => `Redis on 127.0.0.1:${started.port}`,
  );
  phase.watch(child);
  return redisUrl(password, port);
};

/**
 * @param java undefined when the database is the person's own
 * @throws UserError when one of the two cannot be reached or started
 */
export const startBackend = async (
  suite: Suite,
  settings: StackSettings,
  java: Java | undefined,
): Promise<Backend> => {
  // A person's own first: when one of them does not answer, nothing was started in vain.
  const ownNeo4j = settings.neo4j && (await checkOwnNeo4j(settings.neo4j));
  const ownRedis = settings.redisUrl && (await checkOwnRedis(settings.redisUrl));
  const phase = suite.children.addPhase();
  const neo4j = async () => {
    if (ownNeo4j) return ownNeo4j;
    if (!java) throw new UserError("The embedded Neo4j needs Java.");
    return startEmbeddedNeo4j(suite, java, phase);
  };
  // Both are waited for, so that none is left starting when the other one fails.
  const [first, second] = await Promise.allSettled([neo4j(), ownRedis ?? startEmbeddedRedis(suite, phase)]);
  if (first.status === "rejected") throw first.reason;
  if (second.status === "rejected") throw second.reason;
  return {
    neo4j: first.value,
    redisUrl: second.value,
    heavyStatements: ownNeo4j ? undefined : heavyStatementsIn(longTerm.heap[1]),
  };
};

/**
 * Lends one more server to `work`, beside the suite's own databases, and ends it.
 *
 * @throws UserError when it cannot be started
 */
export const withExtraNeo4j = async <T>(
  suite: Suite,
  java: Java,
  server: Server,
  work: (neo4j: OwnNeo4j) => Promise<T>,
): Promise<T> => {
  const phase = suite.children.addPhase();
  try {
    return await work(await startEmbeddedNeo4j(suite, java, phase, server));
  } finally {
    await phase.stop();
  }
};
