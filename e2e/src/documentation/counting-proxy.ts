import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { proxyRequest } from "../requests/proxy-request.ts";

export interface CountingProxy {
  readonly address: string;
  /** Paths of the requests so far. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** Passes requests on, and keeps their paths. */
export const openCountingProxy = async (target: string): Promise<CountingProxy> => {
  const paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url ?? "");
    proxyRequest(target, incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // of TCP
    paths,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
