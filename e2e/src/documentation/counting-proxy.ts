import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy {
  readonly address: string;
  /** Paths of the requests so far. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** Passes requests on, and keeps their paths. */
export const openCountingProxy = async (target: string): Promise<CountingProxy> => {
  const paths: string[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url ?? "");
    const { method, headers, url: path } = incoming;
    const passed = request({ hostname, port, path, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.once("error", () => outgoing.destroy());
    incoming.pipe(passed);
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
