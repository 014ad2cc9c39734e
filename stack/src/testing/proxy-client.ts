/** A client that reaches the suite by TLS through a proxy, with one connection that it keeps. */
import type { ClientRequest, IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import type { Headers } from "../api.ts";

/** Where a proxy listens. */
export interface ProxyEntry {
  /** Address or name of its machine, */
  readonly address: string;
  readonly port: number;
  /** the name that its certificate is for, */
  readonly host: string;
  /** and the certificate of its authority, as PEM. */
  readonly ca: string;
}

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The client's port of the connection: another one for each connection. */
  readonly localPort: number | undefined;
}

export interface ProxyClient {
  /** @throws Error where the connection ends before the answer does, and after a minute */
  send(method: string, path: string, headers?: Headers, body?: string): Promise<ProxyAnswer>;
  /** A request without the end of its body; it has the connection until it is destroyed or ended. */
  begin(method: string, path: string, headers?: Headers): ClientRequest;
  close(): void;
}

const answerWithinMs = 60_000;

export const openProxyClient = ({ address, port, host, ca }: ProxyEntry): ProxyClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const begin: ProxyClient["begin"] = (method, path, headers = {}) =>
    request({
      host: address,
      port,
      servername: host,
      ca,
      agent,
      method,
      path,
      headers: { host, ...headers },
      signal: AbortSignal.timeout(answerWithinMs),
    });
  return {
    begin,
    send: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        const sent = begin(method, path, headers);
        sent.once("error", reject);
        sent.once("response", (answer) => {
          const { localPort } = answer.socket;
          const parts: Buffer[] = [];
          answer.on("data", (part: Buffer) => parts.push(part));
          answer.once("error", reject);
          answer.once("end", () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(parts).toString(),
              localPort,
            }),
          );
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
};
