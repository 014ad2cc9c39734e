/** What the key services of the tests have in common, whichever protocol they speak. */
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";
import type { CloudKey } from "./cloud-key.ts";

/** What a key service does now. */
export type Mood = "well" | "denies" | "throttles" | "disabled" | "missing" | "silent";

/** A running key service. */
export interface KeyService {
  readonly address: string;
  /** What it does; every call from now on. */
  mood: Mood;
  key: CloudKey;
  /** Calls so far, without their secrets. */
  readonly calls: string[];
  /** Whose identity the calls brought. */
  readonly identities: Set<string>;
  close(): Promise<void>;
}

export const listening = async (server: Server, host = "127.0.0.1"): Promise<number> => {
  await once(server.listen(0, host), "listening");
  return (server.address() as AddressInfo).port; // of TCP
};

export const closing = async (server: Server & { closeAllConnections(): void }): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
};

export type Handled = (request: IncomingMessage, response: ServerResponse, body: string) => void;
export const withBody =
  (handle: Handled): RequestListener =>
  (request, response) => {
    void text(request).then((body) => handle(request, response, body));
  };

export const json = (response: ServerResponse, status: number, type: string, body: object): void => {
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
};
