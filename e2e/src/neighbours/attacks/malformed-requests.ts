/** Requests whose end a proxy and a server could find at different places. */
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { environment } from "../../environment.ts";

/** The gateway of the suite under test; `host` is what the Host field names. */
export const gatewayAddress = () => {
  const { hostname, port, host } = new URL(environment().base_url);
  return { hostname, port: Number(port || 80), host };
};

/** What a server does with bytes that were sent to it. */
export interface Exchange {
  /** What came until the server ended the connection, or within 5 s. */
  readonly text: string;
  /** True where the server ended the connection within 5 s. */
  readonly isClosed: boolean;
}

/** Sends bytes as they are. */
const exchange = async (text: string): Promise<Exchange> => {
  const { hostname, port } = gatewayAddress();
  const socket = connect({ host: hostname, port });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise<true>((resolve) => void socket.once("close", () => resolve(true)));
  socket.write(text);
  const isClosed = await Promise.race([closed, pause(5_000, false)]);
  socket.destroy();
  return { text: received, isClosed };
};

const body = JSON.stringify({
  subject: { type: "Person", id: "a" },
  action: { name: "READ" },
  resource: { type: "Document", id: "b" },
});
const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const head = (key: string, lines: readonly string[]): string =>
  [
    "POST /access/v1/evaluation HTTP/1.1",
    `X-SVC-ClientKey: ${key}`,
    "Content-Type: application/json",
    ...lines,
  ]
    .map((line) => `${line}\r\n`)
    .join("");

type Lines = (host: string) => readonly string[];

/**
 * What is wrong, the fields that say so, and the content. RFC 9112: section 3.2 on Host, section 6.1 on a transfer coding
 * that is not understood.
 */
export const malformedRequests: readonly (readonly [string, Lines, string])[] = [
  [
    "two Host fields",
    (host) => [`Host: ${host}`, "Host: other.example", `Content-Length: ${body.length}`],
    body,
  ],
  [
    "two equal Host fields",
    (host) => [`Host: ${host}`, `Host: ${host}`, `Content-Length: ${body.length}`],
    body,
  ],
  ["no Host field", () => [`Content-Length: ${body.length}`], body],
  ["gzip before chunked", (host) => [`Host: ${host}`, "Transfer-Encoding: gzip, chunked"], chunk],
  ["chunked before gzip", (host) => [`Host: ${host}`, "Transfer-Encoding: chunked, gzip"], chunk],
  ["chunked twice", (host) => [`Host: ${host}`, "Transfer-Encoding: chunked, chunked"], chunk],
  [
    "a length and chunks",
    (host) => [`Host: ${host}`, "Transfer-Encoding: chunked", `Content-Length: ${body.length}`],
    chunk,
  ],
];

/** Sends one of them with a valid key. */
export const sendMalformed = (key: string, lines: Lines, content: string): Promise<Exchange> =>
  exchange(`${head(key, lines(gatewayAddress().host))}\r\n${content}`);
