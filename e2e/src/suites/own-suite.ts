import type { ServiceName } from "../../../stack/src/services/service-names.ts";
import { freePort } from "../../../stack/src/ports.ts";
import type { ServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";
import type { TestProcess } from "../../../stack/src/testing/servers/test-process.ts";
import { useSuite } from "../environment.ts";
import { type Foundation, createFoundation, type Stores } from "./foundation.ts";
import { type AddressFor, startSide } from "./start-side.ts";

/** A suite of a test file's own. */
export interface OwnSuite {
  readonly gateway: string;
  /** The metrics of a service, as Prometheus reads them. */
  metrics(service: ServiceName): Promise<string>;
  process(service: ServiceName): TestProcess;
  /** Ends the process of a service with SIGKILL, and starts another one in its place. */
  killAndRestart(service: ServiceName): Promise<void>;
  readonly redis: Foundation["redis"];
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** Connections of services to each other and to their stores that are not direct. */
export interface ProxiedConnections {
  readonly addressFor: AddressFor;
  /** Settings of one service that say where its stores are. */
  storesFor(name: ServiceName, direct: Settings): Promise<Settings>;
}

/**
 * Starts one of each service on a foundation of their own. What this test file asks from then on, it asks them: call it
 * before anything else.
 *
 * @param settings of all services, and of some.
 */
export const startOwnSuite = async (
  settings: Settings = {},
  ofSome: Readonly<Partial<Record<ServiceName, Settings>>> = {},
  { connections, ...stores }: Stores & { readonly connections?: ProxiedConnections } = {},
): Promise<OwnSuite> => {
  const foundation = await createFoundation(stores);
  const { variables, redis } = foundation;
  const ports = new Map<ServiceName, number>();
  const { gateway, processes } = await startSide(
    { ...variables, AUDIT_BATCH_MS: "300", ...settings },
    ["trust-scorer"],
    async (name) => {
      const port = await freePort();
      ports.set(name, port);
      return {
        METRICS_PORT: String(port),
        // Profiles of other tests on the same database are the work of the suite's scorer.
        ...(name === "trust-scorer" ? { TRUST_CONCURRENCY: "0" } : {}),
        ...ofSome[name],
        ...(await connections?.storesFor(name, variables)),
      };
    },
    connections?.addressFor,
  );
  const restoreEnvironment = useSuite(gateway, foundation);
  const processOf = (name: ServiceName): ServiceProcess => {
    const found = processes.get(name);
    if (found === undefined) throw new Error(`no process of ${name}`);
    return found;
  };
  return {
    gateway,
    metrics: async (name) => (await fetch(`http://127.0.0.1:${ports.get(name)}/metrics`)).text(),
    process: (name) => processOf(name).running,
    killAndRestart: (name) => processOf(name).killAndRestart(),
    redis,
    close: async () => {
      restoreEnvironment();
      await Promise.all([...processes.values()].map(({ running }) => running.end()));
      await foundation.close();
    },
  };
};
