import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ResolverDefinition } from "../file/world.ts";

/** Answers the calls of the suite's external data resolvers. */
export interface ResolverServer {
  /** Address of this server, as the suite calls it. */
  readonly origin: string;
  /** Answers a resolver of one project from now on; the address that its record gets. */
  register(definition: ResolverDefinition): string;
  close(): Promise<void>;
}

/** What follows the origin in the address of a resolver's record. */
const pathOf = ({ record: { url } }: ResolverDefinition): string =>
  typeof url === "string" ? (/^https?:\/\/[^/?]*(.*)$/.exec(url)?.[1] ?? "") : "";

/** Listens at an address that the suite reaches; on this machine alone where nothing else is said. */
export const openResolverServer = async (host: string): Promise<ResolverServer> => {
  const answers = new Map<string, string>();
  const server = createServer((request, response) => {
    const [, key = ""] = (request.url ?? "").split(/[/?]/);
    const answer = answers.get(key);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(answer);
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
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
