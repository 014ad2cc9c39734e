import { type IncomingMessage, request, type ServerResponse } from "node:http";

/** Proxies a request to another server, and its response back; without a response the connection ends. */
export const proxyRequest = (target: string, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { hostname, port } = new URL(target);
  const { method, headers, url: path } = incoming;
  const upstream = request({ hostname, port, path, method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  upstream.once("error", () => outgoing.destroy());
  incoming.pipe(upstream);
};
