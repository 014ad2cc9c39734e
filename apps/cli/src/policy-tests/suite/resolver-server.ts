import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandFault } from "../../command-environment.ts";
import type { ResolverDefinition } from "../file/world.ts";

/** Simulates external data resolvers of the suite. */
export interface ResolverServer {
  /** Address of this server, as the suite calls it. */
  readonly origin: string;
  /** Adds a resolver of one project. @returns the address for its record */
  register(definition: ResolverDefinition): string;
  close(): Promise<void>;
}

/** The part after the origin of a resolver's address. */
const pathOf = ({ record: { url } }: ResolverDefinition): string =>
  typeof url === "string" ? (/^https?:\/\/[^/?]*(.*)$/.exec(url)?.[1] ?? "") : "";

/**
 * Listens on an address of this machine that the suite can reach.
 *
 * @throws CommandFault if it is none of this machine.
 */
export const openResolverServer = async (host: string): Promise<ResolverServer> => {
  const answers = new Map<string, string>();
  const server = createServer((request, response) => {
    const [, key = ""] = (request.url ?? "").split(/[/?]/);
    const answer = answers.get(key);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(answer);
  });
  try {
    await once(server.listen(0, host), "listening");
  } catch (error) {
    throw new CommandFault(`--resolver-host ${host}: ${(error as Error).message}`);
  }
  const { port } = server.address() as AddressInfo; // a TCP server
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    origin,
    register: (definition) => {
      const key = randomBytes(16).toString("hex");
      answers.set(key, JSON.stringify(definition.answer));
      return `${origin}/${key}${pathOf(definition)}`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
