import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, it } from "@jest/globals";
import type { Import } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { blankLines, gzipBomb, importsPath, tooMuch, upload } from "../../src/neighbours/attacks/uploads.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { must } from "../../src/requests/must.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";

const neighbours = useNeighbours();

/** Rows of the stranger's import. */
const manyRows = long(20_000, 120_000);
/** Milliseconds that an import of one row may take beside it. */
const oneRowWithinMs = 10_000;

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `${JSON.stringify({ node: { type: "Row", external_id: `row-${at}` } })}\n`,
  ).join("");

const statusOf = async (by: Credentials, id: string): Promise<Import> =>
  must<Import>(await withKey(`${importsPath}/${id}`, by), 200);

const ended = (by: Credentials, id: string, withinMs: number): Promise<Import> =>
  eventually(
    () => statusOf(by, id),
    ({ status }) => ["done", "cancelled", "failed"].includes(status),
    { withinMs, everyMs: 100 },
  );

it("an import of one row does not wait for a stranger's rows", async () => {
  const { heavy, light } = neighbours;
  const many = gzipSync(lines(manyRows));
  const { result, faults } = await neighbours.beside(async () => {
    const strangers = await Promise.all(
      [1, 2].map(async () => must<Import>(await upload(heavy, many, "gzip"), 202)),
    );
    const began = performance.now();
    const { id } = must<Import>(await upload(light, Buffer.from(lines(1))), 202);
    const mine = await ended(light, id, 120_000);
    const ms = performance.now() - began;
    const others = await Promise.all(strangers.map((stranger) => statusOf(heavy, stranger.id)));
    await Promise.all(
      strangers.map((stranger) => withKey(`${importsPath}/${stranger.id}`, heavy, { method: "DELETE" })),
    );
    return { mine, ms, others: others.map(({ status }) => status) };
  });
  process.stdout.write(
    `one row after ${Math.round(result.ms)} ms, the others: ${result.others.join(", ")}\n`,
  );
  expect(result.mine).toMatchObject({ status: "done", nodes: { written: 1 } });
  expect(result.ms).toBeLessThan(oneRowWithinMs);
  // It ended first, as it is the smallest of the three.
  expect(result.others).not.toEqual(["done", "done"]);
  expect(faults).toEqual([]);
}, 240_000);

it("an upload that grows when it is decompressed is refused", async () => {
  const { heavy } = neighbours;
  const bomb = gzipBomb(long(15, 200));
  const { result, faults } = await neighbours.beside(async () => {
    const began = performance.now();
    return { answer: await upload(heavy, bomb, "gzip"), ms: performance.now() - began };
  });
  process.stdout.write(`${bomb.length} bytes: ${result.answer.status} after ${Math.round(result.ms)} ms\n`);
  requireRefusal(result.answer, ...tooMuch);
  expect(faults).toEqual([]);
}, 120_000);

/** Milliseconds in which an upload without a single line is refused. */
const refusedWithinMs = 5_000;

it("blank lines cost the light tenant no answer", async () => {
  const { heavy } = neighbours;
  const blank = blankLines(long(20, 100));
  const { result, faults } = await neighbours.beside(async () => {
    const began = performance.now();
    return { answer: await upload(heavy, blank), ms: performance.now() - began };
  });
  process.stdout.write(`${blank.length} bytes: ${result.answer.status} after ${Math.round(result.ms)} ms\n`);
  requireRefusal(result.answer, ...tooMuch);
  expect(result.ms).toBeLessThan(refusedWithinMs);
  expect(faults).toEqual([]);
}, 120_000);

/** An upload without an end. @returns milliseconds until the server ended it, at most `forMs` */
const trickle = async ({ key }: Credentials, forMs: number): Promise<number> => {
  const { hostname, port, host } = new URL(environment().base_url);
  const socket = connect({ host: hostname, port: Number(port || 80) });
  const began = performance.now();
  const closed = once(socket, "close").catch(() => {});
  // An answer before the end of the upload is the refusal.
  socket.on("error", () => {}).on("data", () => socket.destroy());
  socket.write(
    `POST ${importsPath} HTTP/1.1\r\nHost: ${host}\r\nX-SVC-ClientKey: ${key}\r\n` +
      "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  for (let at = 0; !socket.destroyed && performance.now() - began < forMs; at++) {
    const line = `${JSON.stringify({ node: { type: "Row", external_id: `slow-${at}` } })}\n`;
    socket.write(`${line.length.toString(16)}\r\n${line}\r\n`);
    await Promise.race([closed, pause(1_000)]);
  }
  socket.destroy();
  return performance.now() - began;
};

/** Milliseconds after which an upload of some bytes a second is refused. */
const uploadWithinMs = 120_000;

it(
  "endless slow uploads cost the light tenant no answer, and are ended",
  async () => {
    const { heavy } = neighbours;
    const forMs = long(4_000, uploadWithinMs + 60_000);
    const { result, faults } = await neighbours.beside(() =>
      Promise.all(Array.from({ length: long(20, 4) }, () => trickle(heavy, forMs))),
    );
    // The short form ends the uploads itself before the server may.
    expect(Math.max(...result)).toBeLessThan(uploadWithinMs);
    expect(faults).toEqual([]);
  },
  uploadWithinMs + 180_000,
);
