import type { ServiceName } from "../../stack/src/parts/variables.ts";
import { type Line, openLine } from "../../stack/src/testing/line.ts";
import { type Detours, type OwnSuite, startOwnSuite } from "./own-suite.ts";

/** A suite whose processes reach each other and their stores over lines that a test may disturb. */
export interface DisturbedSuite extends OwnSuite {
  /** The line of a pair, as `gateway-access`, `access-neo4j` and `ciq-redis` name it. */
  line(pair: string): Line;
}

type Settings = Readonly<Record<string, string>>;

const before = (address: string, port: number): string => {
  const url = new URL(address);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href.replace(/\/$/, "");
};

/** As `startOwnSuite`, with a line between every two. */
export const startDisturbedSuite = async (
  settings: Settings,
  ofSome: Readonly<Partial<Record<ServiceName, Settings>>> = {},
): Promise<DisturbedSuite> => {
  const lines = new Map<string, Line>();
  const detour = async (pair: string, address: string): Promise<string> => {
    const { hostname, port } = new URL(address);
    const line = await openLine({ host: hostname, port: Number(port) });
    lines.set(pair, line);
    return before(address, line.port);
  };
  const detours: Detours = {
    addressFor: (caller, name, url) => detour(`${caller}-${name}`, url),
    storesFor: async (name, { NEO4J_URI = "", REDIS_URL = "" }) => ({
      // One server is asked directly: a routing table would lead past the line.
      NEO4J_URI: (await detour(`${name}-neo4j`, NEO4J_URI)).replace(/^neo4j/, "bolt"),
      REDIS_URL: await detour(`${name}-redis`, REDIS_URL),
    }),
  };
  const suite = await startOwnSuite(settings, ofSome, { detours });
  return {
    ...suite,
    line: (pair) => {
      const line = lines.get(pair);
      if (line === undefined) throw new Error(`no line ${pair}`);
      return line;
    },
    close: async () => {
      await suite.close();
      await Promise.all([...lines.values()].map((line) => line.close()));
    },
  };
};
