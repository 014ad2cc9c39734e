/** The embedded Neo4j Community: authentication on, reachable from this machine alone. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import neo4j from "neo4j-driver";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import type { Home } from "../home.ts";
import type { Child } from "../processes/child.ts";
import { startChild } from "../processes/child.ts";
import { isOpen } from "../ports.ts";
import { jarFolder } from "../system/jars.ts";
import type { Purpose, Suite } from "../suite.ts";
import type { Java } from "../system/java.ts";
import type { Neo4jRelease } from "../versions.ts";
import { versions } from "../versions.ts";
import { quoteArgument } from "./quote-argument.ts";
import { javaOptionsFile, type Memory, memorySettings, readJavaOptions } from "./neo4j-memory.ts";

/**
 * The settings of a production server that the Community edition supports. The time limit applies to statements that state none;
 * those of the services do. Transaction logs are not allocated in advance: a suite for a test must not cost 512 MB of disk.
 */
export const neo4jConfiguration = (
  folder: string,
  logs: string,
  port: number,
  { settings = {}, ...memory }: Memory & Pick<Server, "settings"> = longTerm,
): string =>
  Object.entries({
    "server.directories.data": join(folder, "data"),
    "server.directories.transaction.logs.root": join(folder, "data", "transactions"),
    "server.directories.logs": logs,
    "server.directories.run": join(folder, "run"),
    "server.directories.plugins": join(folder, "plugins"),
    "server.directories.import": join(folder, "import"),
    "server.bolt.listen_address": `127.0.0.1:${port}`,
    "server.bolt.advertised_address": `127.0.0.1:${port}`,
    "server.http.enabled": "false",
    "server.https.enabled": "false",
    ...memorySettings(memory),
    "server.memory.query_cache.per_db_cache_num_entries": "5000",
    "dbms.cypher.min_replan_interval": "60s",
    "dbms.cypher.statistics_divergence_threshold": "0.9",
    "db.transaction.timeout": "30s",
    "db.lock.acquisition.timeout": "10s",
    "db.tx_log.preallocate": "false",
    "dbms.security.auth_enabled": "true",
    "dbms.security.procedures.allowlist": "db.*,dbms.*",
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "dbms.cypher.forbid_exhaustive_shortestpath": "true",
    "dbms.usage_report.enabled": "false",
    // The process that requested it has ended before it does.
    "db.shutdown_transaction_end_timeout": "2s",
    // The databases are closed by then, and their connections gone; the two groups of threads that are waited for took their whole
    // limit at every stop, be it the 5 s that is usual or 1 s.
    "internal.server.bolt.thread_pool_shutdown_wait_time": "50ms",
    "internal.server.bolt.connection_shutdown_wait_time": "50ms",
    ...settings,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

const flags = [
  "--add-opens=java.base/java.nio=ALL-UNNAMED",
  "--add-opens=java.base/java.io=ALL-UNNAMED",
  "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
  "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
];

/** What is optimized must have run twenty times as often as usual. */
const lateOptimization = [
  "-XX:Tier4InvocationThreshold=100000",
  "-XX:Tier4MinInvocationThreshold=12000",
  "-XX:Tier4CompileThreshold=300000",
  "-XX:Tier4BackEdgeThreshold=800000",
];

/** Tests plan thousands of statements once, which leaves much garbage; short pauses matter to those who serve. */
const largeNewGeneration = ["-XX:NewSize=128m", "-XX:MaxNewSize=128m"];

/**
 * Half of the work of a start is optimizing code that runs at the start alone. People wait for the start, so they get late
 * optimization; tests are over before any would pay, but for the long ones; measurements take Java as it is.
 */
const javaOptions: Readonly<Record<Purpose, readonly string[]>> = {
  serve: lateOptimization,
  measure: [],
  test: [
    "-XX:TieredStopAtLevel=1",
    // With one compiler Java reserves 48 MB for code, which is less than the planner and the statements of a run come to.
    "-XX:ReservedCodeCacheSize=256m",
    ...largeNewGeneration,
  ],
  "test-long": [...lateOptimization, ...largeNewGeneration],
};

interface Places {
  readonly folder: string;
  readonly configuration: string;
  readonly temporary: string;
}

const placesOf = (folder: string): Places => ({
  folder,
  configuration: join(folder, "conf"),
  temporary: join(folder, "tmp"),
});

/** One server among those of a suite. */
export interface Server extends Memory {
  /** of its process, its log and its folder */
  readonly name: "neo4j" | "neo4j-calendar" | "neo4j-second";
  readonly release: Neo4jRelease;
  readonly mainClass: string;
  /** that it has besides */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What the suite runs. */
export const longTerm: Server = {
  name: "neo4j",
  release: versions,
  mainClass: "org.neo4j.server.CommunityEntryPoint",
  heap: [512, 1024],
  pageCache: 256,
};

/** A second server of the current calendar release, small because both run side by side. */
export const calendar: Server = {
  name: "neo4j-calendar",
  release: versions.calendar,
  mainClass: "org.neo4j.server.Neo4jCommunity",
  heap: [256, 512],
  pageCache: 64,
};

/** What a project of the tests has for its own. */
export const second: Server = {
  ...longTerm,
  name: "neo4j-second",
  heap: [256, 512],
  pageCache: 64,
};

const folderOf = (home: Home, { name }: Server): string =>
  name === "neo4j" ? home.neo4j : join(home.root, name);

/** The first password must be set before the first start. It goes through a file: arguments can be seen by others. */
const setFirstPassword = async (
  places: Places,
  { release }: Server,
  java: Java,
  password: string,
  signal: AbortSignal,
): Promise<void> => {
  const file = join(places.folder, "first-password");
  const args = [
    "-Xmx256m",
    "-XX:TieredStopAtLevel=1",
    "-cp",
    `${jarFolder(release)}/*`,
    "org.neo4j.cli.AdminTool",
  ];
  const command = [...args, "dbms", "set-initial-password", password];
  writeFileSync(file, command.map((argument) => `${quoteArgument(argument)}\n`).join(""), { mode: 0o600 });
  try {
    const { code, tail } = await runProgram(java.program, [`@${file}`], {
      env: { ...process.env, NEO4J_HOME: places.folder, NEO4J_CONF: places.configuration },
      signal,
    });
    if (code !== 0 && !signal.aborted)
      throw new UserError(
        `The first password of Neo4j cannot be set: ${tail.at(-1)?.replaceAll(password, "…")}`,
      );
  } finally {
    rmSync(file, { force: true });
  }
};

/**
 * Starts it on this port; on the first start after setting the password.
 *
 * @throws UserError when the password cannot be set
 */
export const startNeo4j = async (
  { home, secrets, signal, purpose }: Suite,
  java: Java,
  port: number,
  server: Server = longTerm,
): Promise<Child> => {
  const places = placesOf(folderOf(home, server));
  const [minHeap, maxHeap] = server.heap;
  const user = { username: "neo4j", password: secrets.neo4j_password };
  for (const folder of [places.configuration, places.temporary])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const configuration = neo4jConfiguration(places.folder, join(home.logs, server.name), port, server);
  writeFileSync(join(places.configuration, "neo4j.conf"), configuration, { mode: 0o600 });
  if (
    !existsSync(join(places.folder, "data", "dbms", "auth.ini")) &&
    !existsSync(join(places.folder, "data", "databases"))
  )
    await setFirstPassword(places, server, java, secrets.neo4j_password, signal);
  return startChild(home, {
    name: server.name,
    program: java.program,
    args: [
      `-Xms${minHeap}m`,
      `-Xmx${maxHeap}m`,
      readJavaOptions(javaOptionsFile),
      ...javaOptions[purpose],
      `-Djava.io.tmpdir=${places.temporary}`,
      ...flags,
      "-cp",
      `${jarFolder(server.release)}/*`,
      server.mainClass,
      `--home-dir=${places.folder}`,
      `--config-dir=${places.configuration}`,
      "--console-mode",
    ],
    env: process.env,
    graceMs: purpose === "serve" ? () => graceOf({ uri: `bolt://127.0.0.1:${port}`, ...user }, port) : 0,
  });
};

/** How long one that answers may take to close its stores. */
const closeMs = 60_000;
/** One that has not opened its port yet, or has closed it already, has little to close. */
const startingMs = 6_000;
const answerMs = 1_500;

/** How long a server may take to end: one whose port is open and that answers nothing would take any time in vain. */
const graceOf = async (address: Address, port: number): Promise<number> => {
  if (!(await isOpen(port))) return startingMs;
  const silent = wait(answerMs, true, { ref: false });
  const answers = askNeo4j(address, answerMs).then(() => false);
  return (await Promise.race([silent, answers])) ? 0 : closeMs;
};

/** Where a server is and who asks it. */
interface Address {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
}

/** One question to the database, with the name and the password; undefined when it answered. */
export const askNeo4j = async (address: Address, timeoutMs: number): Promise<Error | undefined> => {
  const driver = neo4j.driver(address.uri, neo4j.auth.basic(address.username, address.password), {
    connectionTimeout: timeoutMs,
    connectionAcquisitionTimeout: timeoutMs,
    maxTransactionRetryTime: 0,
  });
  try {
    await driver.verifyConnectivity({ database: "neo4j" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await driver.close();
  }
};

/**
 * Runs a read and a write on a server: a server that accepts connections has not planned any statement yet, and the first ones
 * take long.
 */
export const useNeo4j = async (address: Address): Promise<void> => {
  const driver = neo4j.driver(address.uri, neo4j.auth.basic(address.username, address.password));
  try {
    for (const text of [
      "CALL dbms.components() YIELD versions RETURN versions",
      "MERGE (n:Used {key: 1}) SET n.time = timestamp() DELETE n",
    ])
      await driver.executeQuery(text, {}, { database: "neo4j" });
  } finally {
    await driver.close();
  }
};
