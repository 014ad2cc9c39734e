import { type ServiceName, upstreams } from "../../../stack/src/services/service-names.ts";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";

type Variables = Readonly<Record<string, string>>;

/** Maps the `url` of a service to the address that its callers use. */
export type AddressFor = (caller: "gateway" | "mcp", name: ServiceName, url: string) => Promise<string>;

/** One of each service and the gateway before them. */
export interface Side {
  readonly gateway: string;
  readonly processes: ReadonlyMap<ServiceName, ServiceProcess>;
}

/**
 * Starts them.
 *
 * @param more services that receive no requests.
 * @param settingsOf additional settings of a service.
 */
export const startSide = async (
  base: Variables,
  more: readonly ServiceName[] = [],
  settingsOf: (name: ServiceName) => Promise<Variables> | Variables = () => ({}),
  addressFor: AddressFor = async (_caller, _name, url) => url,
): Promise<Side> => {
  const start = async (name: ServiceName, env: Variables) =>
    [name, await startServiceProcess(name, { ...base, ...env, ...(await settingsOf(name)) })] as const;
  const behind = await Promise.all(
    [...upstreams.filter((name) => name !== "mcp"), ...more].map((name) => start(name, {})),
  );
  const addressesFor = async (caller: "gateway" | "mcp", services: typeof behind): Promise<Variables> =>
    Object.fromEntries(
      await Promise.all(
        services.map(
          async ([name, { url }]) =>
            [`UPSTREAM_${name.toUpperCase()}`, await addressFor(caller, name, url)] as const,
        ),
      ),
    );
  const mcp = await start("mcp", await addressesFor("mcp", behind));
  const gateway = await start("gateway", await addressesFor("gateway", [...behind, mcp]));
  return { gateway: gateway[1].url, processes: new Map([...behind, mcp, gateway]) };
};
