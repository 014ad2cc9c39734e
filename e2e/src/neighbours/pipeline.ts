import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { environment } from "../environment.ts";
import type { Credentials } from "../data-plane.ts";

/** Status lines in what came over the connection. */
const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/**
 * Writes many requests at once to one connection (RFC 9112, section 9.3.2), follows it for a while and ends it.
 *
 * @returns the statuses that came
 */
export const pipeline = async (
  path: string,
  json: unknown,
  { key }: Credentials,
  { requests, forMs }: { readonly requests: number; readonly forMs: number },
): Promise<readonly number[]> => {
  const { hostname, port, host } = new URL(environment().base_url);
  const body = JSON.stringify(json);
  const request =
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX-SVC-ClientKey: ${key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const socket = connect({ host: hostname, port: Number(port || 80) });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  // A server may end the connection; what came until then counts.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  socket.write(request.repeat(requests));
  await Promise.race([closed, pause(forMs)]);
  socket.destroy();
  return statusesIn(received);
};
