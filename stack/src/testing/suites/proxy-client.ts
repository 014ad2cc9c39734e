/** A client that reaches the suite by TLS through a proxy, with one connection that it keeps. */
import type { ClientRequest, IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import type { RequestHeaders } from "../../clients.ts";

/** Where a proxy listens. */
export interface ProxyEntry {
  /** The address or the name of its machine. */
  readonly address: string;
  /** The port on which it speaks TLS. */
  readonly port: number;
  /** The name that its certificate is for. */
  readonly host: string;
  /** The certificate of the authority that issued it, as PEM. */
  readonly ca: string;
}

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ProxyClient {
  /** @throws Error where the connection ends before the answer does, after a minute, and where it is aborted */
  send(method: string, path: string, headers?: RequestHeaders, body?: string): Promise<ProxyAnswer>;
  /** A request without the end of its body; it has the connection until it is destroyed or ended. */
  begin(method: string, path: string, headers?: RequestHeaders): ClientRequest;
  close(): void;
}

const answerWithinMs = 60_000;

/** @param signal aborts its requests */
const openProxyClient = ({ address, port, host, ca }: ProxyEntry, signal: AbortSignal): ProxyClient => {
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
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
  return {
    begin,
    send: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        const outgoing = begin(method, path, headers);
        outgoing.once("error", reject);
        outgoing.once("response", (answer) => {
          const parts: Buffer[] = [];
          answer.on("data", (part: Buffer) => parts.push(part));
          answer.once("error", reject);
          answer.once("end", () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(parts).toString(),
            }),
          );
        });
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
};

/** Lends a client to `work`. */
export const withProxyClient = async <T>(
  { entry, signal }: { readonly entry: ProxyEntry; readonly signal: AbortSignal },
  work: (client: ProxyClient) => Promise<T>,
): Promise<T> => {
  const client = openProxyClient(entry, signal);
  try {
    return await work(client);
  } finally {
    client.close();
  }
};
