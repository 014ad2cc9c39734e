import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An endpoint of an issuer that answers as configured. */
export interface Endpoint {
  readonly url: string;
  /** Requests that came. */
  readonly requests: IncomingMessage[];
  answer: RequestListener;
  close(): Promise<void>;
}

export const json =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));

export const startEndpoint = async (): Promise<Endpoint> => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    endpoint.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint: Endpoint = {
    // Listening on a port, so the address is an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    answer: json({}),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return endpoint;
};
