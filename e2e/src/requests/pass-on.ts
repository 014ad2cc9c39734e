import { type IncomingMessage, request, type ServerResponse } from "node:http";

/** Passes a request on to another server, and its response back; without a response the connection ends. */
export const passOn = (target: string, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { hostname, port } = new URL(target);
  const { method, headers, url: path } = incoming;
  const passed = request({ hostname, port, path, method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  passed.once("error", () => outgoing.destroy());
  incoming.pipe(passed);
};
