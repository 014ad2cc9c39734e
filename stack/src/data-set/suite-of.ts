/** The services of a source tree, which need not be this one. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ServiceName, services, upstreams } from "../services/service-names.ts";
import { freePort } from "../ports.ts";
import { isReady } from "../processes/is-ready.ts";
import { repository } from "../repository.ts";
import { type Front, openFront } from "../testing/suites/front.ts";
import { startProcess, type TestProcess } from "../testing/servers/test-process.ts";

type Variables = Readonly<Record<string, string>>;

/** The code of another tree is compiled at its first start, beside everything else that runs. */
const startMs = 240_000;
/** Two replicas take requests for so long. */
const besideMs = 300;

interface Replica {
  readonly port: number;
  readonly running: TestProcess;
}

/** A suite whose services are replaced by those of another tree, one after another, each beside its predecessor first. */
export interface SuiteOfTrees {
  readonly gateway: string;
  /** Replaces every service, or starts it. @param more settings of all services */
  run(tree: string, more?: Variables): Promise<void>;
  /** What every process has written. */
  output(): string;
  close(): Promise<void>;
}

const startReplica = async (tree: string, name: ServiceName, variables: Variables): Promise<Replica> => {
  const port = await freePort();
  const running = await startProcess({
    program: process.execPath,
    args: [join(tree, "services", name, "src", "main.ts")],
    env: { ...variables, PORT: String(port) },
    isReady: () => isReady(`http://127.0.0.1:${port}`),
    withinMs: startMs,
  });
  return { port, running };
};

/**
 * @param variables settings of all services.
 * @param names of the services, in the order in which they are replaced.
 */
export const openSuiteOfTrees = async (
  variables: Variables,
  names: readonly ServiceName[] = services,
): Promise<SuiteOfTrees> => {
  const fronts = new Map<ServiceName, Front>();
  for (const name of names) fronts.set(name, await openFront());
  const frontOf = (name: ServiceName): Front => {
    const found = fronts.get(name);
    if (found === undefined) throw new Error(`no front of ${name}`);
    return found;
  };
  const addresses = Object.fromEntries(
    upstreams.map((name) => [`UPSTREAM_${name.toUpperCase()}`, frontOf(name).url]),
  );
  const replicas = new Map<ServiceName, Replica>();
  let written = "";
  const replace = async (tree: string, name: ServiceName, more: Variables): Promise<void> => {
    const former = replicas.get(name);
    const next = await startReplica(tree, name, {
      AUDIT_BATCH_MS: "300",
      // Every connection gets a response with `Connection: close` before the connections are ended.
      DRAIN_DELAY_MS: "1000",
      UPSTREAM_SOCKETS: "2",
      ...variables,
      ...addresses,
      ...more,
    });
    replicas.set(name, next);
    const front = frontOf(name);
    if (former !== undefined) {
      front.replicas = [former.port, next.port];
      await pause(besideMs);
    }
    front.replicas = [next.port];
    await former?.running.end();
    written += former?.running.output() ?? "";
  };
  return {
    gateway: frontOf("gateway").url,
    run: async (tree, more = {}) => {
      for (const name of names) await replace(tree, name, more);
    },
    output: () => written + [...replicas.values()].map(({ running }) => running.output()).join(""),
    close: async () => {
      await Promise.all([...replicas.values()].map(({ running }) => running.end()));
      await Promise.all([...fronts.values()].map((front) => front.close()));
    },
  };
};

/** The tree of this code. */
export const thisTree = repository;
