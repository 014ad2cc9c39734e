import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeScratchOrganization } from "../../stack/src/parts/scratch-organization.ts";
import type { Environment } from "./environment.ts";
import { freePort } from "./free-port.ts";
import { startProcess, type TestProcess } from "./processes.ts";

/** Services on the Neo4j of the suite, with keys, an organization and a Redis of their own, twice each. */
export interface Deployment {
  /** Addresses of two gateways, each before services of its own. */
  readonly gateways: readonly [string, string];
  readonly organizationId: string;
  readonly token: string;
  readonly redis: {
    stop(): Promise<void>;
    start(): Promise<void>;
  };
  /** What every process has written. */
  output(): string;
  close(): Promise<void>;
}

const repository = join(import.meta.dirname, "..", "..");
const sideNames = ["configs", "capture", "access", "ciq"] as const;

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

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
};

const startRedis = (port: number): Promise<TestProcess> =>
  startProcess({
    program: "redis-server",
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", ""],
    env: {},
    isReady: () => isOpen(port),
  });

/** One of each service and the gateway before them. */
const startSide = async (
  base: Readonly<Record<string, string>>,
): Promise<{ readonly gateway: string; readonly processes: readonly TestProcess[] }> => {
  const start = async (name: string, env: Readonly<Record<string, string>>) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const running = await startProcess({
      program: process.execPath,
      args: [join(repository, "services", name, "src", "main.ts")],
      env: { ...base, ...env, PORT: String(port) },
      isReady: () => answers(url),
    });
    return { name, url, running };
  };
  const behind = await Promise.all(sideNames.map((name) => start(name, {})));
  const upstreams = Object.fromEntries(
    behind.map(({ name, url }) => [`UPSTREAM_${name.toUpperCase()}`, url]),
  );
  const gateway = await start("gateway", upstreams);
  return { gateway: gateway.url, processes: [...behind, gateway].map(({ running }) => running) };
};

const bootstrap = async (base: Readonly<Record<string, string>>): Promise<Environment> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-deployment-"));
  const file = join(folder, "credential.json");
  try {
    let done = false;
    const command = await startProcess({
      program: process.execPath,
      args: [join(repository, "services", "configs", "src", "bootstrap.ts"), "--out", file],
      env: { ...base, BOOTSTRAP_SLOT: `deployment-${randomBytes(6).toString("hex")}` },
      isReady: () => {
        try {
          readFileSync(file);
          done = true;
        } catch {
          // Not yet.
        }
        return Promise.resolve(done);
      },
    });
    await command.end();
    return JSON.parse(readFileSync(file, "utf8")) as Environment; // written by the command
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Starts it; whoever does calls `close`. */
export const startDeployment = async (): Promise<Deployment> => {
  const redisPort = await freePort();
  const key = (): string => randomBytes(32).toString("base64");
  const neo4j = {
    uri: required("NEO4J_URI"),
    username: required("NEO4J_USERNAME"),
    password: required("NEO4J_PASSWORD"),
  };
  const base = {
    NEO4J_URI: neo4j.uri,
    NEO4J_USERNAME: neo4j.username,
    NEO4J_PASSWORD: neo4j.password,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    CREDENTIAL_PEPPER: key(),
    INTERNAL_CONTEXT_KEY: key(),
    CONFIG_ENCRYPTION_KEY: key(),
    DRAIN_DELAY_MS: "0",
  };
  let redis = await startRedis(redisPort);
  const environment = await bootstrap(base);
  const sides = [await startSide(base), await startSide(base)] as const;
  const processes = sides.flatMap((side) => side.processes);
  return {
    gateways: [sides[0].gateway, sides[1].gateway],
    organizationId: environment.organization_id,
    token: environment.service_account_token,
    redis: {
      stop: () => redis.end("SIGKILL"),
      start: async () => {
        redis = await startRedis(redisPort);
      },
    },
    output: () => processes.map((each) => each.output()).join(""),
    close: async () => {
      await Promise.all(processes.map((each) => each.end()));
      await redis.end("SIGKILL");
      await removeScratchOrganization(neo4j, environment.organization_id);
    },
  };
};
