import type { ServiceName } from "../../../stack/src/services/service-names.ts";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { type OwnSuite, type ProxiedConnections, startOwnSuite } from "./own-suite.ts";

/** A suite whose processes reach each other and their stores through proxies that inject faults. */
export interface DisturbedSuite extends OwnSuite {
  /** The proxy of a pair, as `gateway-access`, `access-neo4j` and `ciq-redis` name it. */
  proxy(pair: string): FaultyProxy;
}

type Settings = Readonly<Record<string, string>>;

const before = (address: string, port: number): string => {
  const url = new URL(address);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href.replace(/\/$/, "");
};

/** As `startOwnSuite`, with a proxy between every two processes. */
export const startDisturbedSuite = async (
  settings: Settings,
  ofSome: Readonly<Partial<Record<ServiceName, Settings>>> = {},
): Promise<DisturbedSuite> => {
  const proxies = new Map<string, FaultyProxy>();
  const openProxy = async (pair: string, address: string): Promise<string> => {
    const { hostname, port } = new URL(address);
    const proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
    proxies.set(pair, proxy);
    return before(address, proxy.port);
  };
  const connections: ProxiedConnections = {
    addressFor: (caller, name, url) => openProxy(`${caller}-${name}`, url),
    storesFor: async (name, { NEO4J_URI = "", REDIS_URL = "" }) => ({
      // One server is addressed directly: a routing table would bypass the proxy.
      NEO4J_URI: (await openProxy(`${name}-neo4j`, NEO4J_URI)).replace(/^neo4j/, "bolt"),
      REDIS_URL: await openProxy(`${name}-redis`, REDIS_URL),
    }),
  };
  const suite = await startOwnSuite(settings, ofSome, { connections });
  return {
    ...suite,
    proxy: (pair) => {
      const proxy = proxies.get(pair);
      if (proxy === undefined) throw new Error(`no proxy ${pair}`);
      return proxy;
    },
    close: async () => {
      await suite.close();
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
};
