import { type ServiceName, upstreams } from "../../stack/src/parts/variables.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

type Variables = Readonly<Record<string, string>>;

/** One of each service and the gateway before them. */
export interface Side {
  readonly gateway: string;
  readonly processes: ReadonlyMap<ServiceName, ServiceProcess>;
}

/**
 * Starts them.
 *
 * @param more services that nobody calls.
 * @param settingsOf what a service is told besides.
 */
export const startSide = async (
  base: Variables,
  more: readonly ServiceName[] = [],
  settingsOf: (name: ServiceName) => Promise<Variables> | Variables = () => ({}),
): Promise<Side> => {
  const start = async (name: ServiceName, env: Variables) =>
    [name, await startServiceProcess(name, { ...base, ...env, ...(await settingsOf(name)) })] as const;
  const behind = await Promise.all(
    [...upstreams.filter((name) => name !== "mcp"), ...more].map((name) => start(name, {})),
  );
  const addresses = Object.fromEntries(
    behind.map(([name, { url }]) => [`UPSTREAM_${name.toUpperCase()}`, url]),
  );
  const mcp = await start("mcp", addresses);
  const gateway = await start("gateway", { ...addresses, UPSTREAM_MCP: mcp[1].url });
  return { gateway: gateway[1].url, processes: new Map([...behind, mcp, gateway]) };
};
