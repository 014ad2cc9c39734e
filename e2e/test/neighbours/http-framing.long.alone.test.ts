import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";

const neighbours = useNeighbours();

const address = () => {
  const { hostname, port, host } = new URL(environment().base_url);
  return { hostname, port: Number(port || 80), host };
};

/** Sends bytes as they are. @returns what comes until the server ends the connection, or for 5 s */
const exchange = async (text: string): Promise<string> => {
  const { hostname, port } = address();
  const socket = connect({ host: hostname, port });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  socket.write(text);
  await Promise.race([closed, pause(5_000)]);
  socket.destroy();
  return received;
};

const body = JSON.stringify({
  subject: { type: "Person", id: "a" },
  action: { name: "READ" },
  resource: { type: "Document", id: "b" },
});
const head = (key: string, lines: readonly string[]): string =>
  [
    "POST /access/v1/evaluation HTTP/1.1",
    `X-SVC-ClientKey: ${key}`,
    "Content-Type: application/json",
    ...lines,
  ]
    .map((line) => `${line}\r\n`)
    .join("");
const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** RFC 9112: section 3.2 on Host, section 6.1 on a transfer coding that is not understood. */
const malformed: readonly (readonly [string, (host: string) => readonly string[], string])[] = [
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

it.each(malformed)("%s: refused, and the connection ends", async (_name, lines, content) => {
  const { host } = address();
  const received = await exchange(`${head(neighbours.light.key, lines(host))}\r\n${content}`);
  expect(received).toMatch(/^HTTP\/1\.1 (400|501) /);
  expect(received).not.toContain("decision");
});

/** Opens connections without a credential that send a byte a second. @returns how long each stayed open, in ms */
const trickle = (count: number, text: string, forMs: number): Promise<readonly number[]> => {
  const { hostname, port } = address();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port });
      const began = performance.now();
      const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
      socket.on("error", () => {});
      socket.resume();
      for (let at = 0; !socket.destroyed && performance.now() - began < forMs; at++) {
        socket.write(text[at % text.length] ?? "x");
        await Promise.race([closed, pause(1_000)]);
      }
      socket.destroy();
      return performance.now() - began;
    }),
  );
};

/** Milliseconds after which a connection that has not sent a whole head is ended. */
const headWithinMs = 30_000;

it("trickling connections cost the light tenant no answer, and end within half a minute", async () => {
  const text = `GET /access/v1/metadata HTTP/1.1\r\nHost: a\r\n${"X-Filler: ".padEnd(4_000, "x")}`;
  const forMs = headWithinMs + 10_000;
  const { result, faults } = await neighbours.beside(() => trickle(long(300, 500), text, forMs));
  expect(Math.max(...result)).toBeLessThan(headWithinMs);
  expect(faults).toEqual([]);
}, 240_000);
