import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ServiceName, upstreams } from "../../stack/src/parts/service-names.ts";
import { type Front, openFront } from "../../stack/src/testing/front.ts";
import { type ServiceProcess, startServiceProcess } from "../../stack/src/testing/service-process.ts";
import { useEnvironment } from "./environment.ts";
import { type Foundation, createFoundation, type Stores } from "./foundation.ts";

type Variables = Readonly<Record<string, string>>;

/** A suite whose processes are replaced one after another while it is asked, as a rolling update does. */
export interface RollingSuite {
  readonly foundation: Foundation;
  readonly gateway: string;
  /** Restarts every service with these additional variables, the gateway first: each beside its predecessor, then without it. */
  roll(more: Variables): Promise<void>;
  /** What every process has written. */
  output(): string;
  close(): Promise<void>;
}

/** Two replicas take requests for so long. */
const besideMs = 300;

/** The file with the addresses of the suite. */
const writeEnvironment = (gateway: string, { organizationId, token }: Foundation): string => {
  const file = join(tmpdir(), `ikg-e2e-${randomUUID()}.json`);
  const environment = { base_url: gateway, organization_id: organizationId, service_account_token: token };
  writeFileSync(file, JSON.stringify(environment), { mode: 0o600 });
  return file;
};

/**
 * Starts it. From then on every call of this test file goes to this suite: call it before anything else.
 *
 * @param settings of all services.
 */
export const startRollingSuite = async (settings: Variables, stores: Stores): Promise<RollingSuite> => {
  const foundation = await createFoundation(stores);
  const names = ["gateway", ...upstreams] as const;
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
  const replicas = new Map<ServiceName, ServiceProcess>();
  let written = "";
  let current: Variables = {
    ...foundation.variables,
    ...addresses,
    AUDIT_BATCH_MS: "300",
    // Every connection gets a response with `Connection: close` before the connections are ended.
    DRAIN_DELAY_MS: "1000",
    UPSTREAM_SOCKETS: "2",
    ...settings,
  };
  const replace = async (name: ServiceName): Promise<void> => {
    const former = replicas.get(name);
    const next = await startServiceProcess(name, current);
    replicas.set(name, next);
    const front = frontOf(name);
    if (former === undefined) {
      front.replicas = [next.port];
      return;
    }
    front.replicas = [former.port, next.port];
    await pause(besideMs);
    front.replicas = [next.port];
    await former.running.end();
    written += former.running.output();
  };
  for (const name of names) await replace(name);

  const gateway = frontOf("gateway").url;
  const file = writeEnvironment(gateway, foundation);
  const restoreEnvironment = useEnvironment(file);
  return {
    foundation,
    gateway,
    roll: async (more) => {
      current = { ...current, ...more };
      for (const name of names) await replace(name);
    },
    output: () => written + [...replicas.values()].map(({ running }) => running.output()).join(""),
    close: async () => {
      restoreEnvironment();
      await Promise.all([...replicas.values()].map(({ running }) => running.end()));
      await Promise.all([...fronts.values()].map((front) => front.close()));
      rmSync(file);
      await foundation.close();
    },
  };
};
