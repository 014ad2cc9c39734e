import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "@jest/globals";
import type { ExecuteResponse } from "@ikg/contracts";
import { ciqPolicy } from "../../src/configuration/open-query.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { capture } from "../../src/requests/capture.ts";
import { tryExecute } from "../../src/requests/execute.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";

const neighbours = useNeighbours();

/** Bytes of a page by default, and the room that names and brackets of its last row may take. */
const pageBytes = 8 * 1024 * 1024;
const rowBytes = 1024 * 1024 + 4_096;
/** Rows that are asked for at once. */
const rows = long(64, 300);

let queryId: string;
let oneRowId: string;

beforeAll(async () => {
  const { heavy } = neighbours;
  const properties = Array.from({ length: 16 }, (_, at) => ({ type: `p${at}`, value: "x".repeat(65_536) }));
  await capture({ nodes: [{ type: "Wide", external_id: "wide", properties }], relationships: [] }, heavy);
  const save = async (cypher: string, reads: readonly string[]): Promise<string> => {
    const allowed_reads = { nodes: reads };
    const policyId = await savePolicy(heavy.projectId, {
      policy: ciqPolicy({
        subject: { type: "_Application" },
        condition: { cypher: `MATCH (subject:_Application) ${cypher}` },
        allowed_reads,
      }),
    });
    return saveQuery(heavy.projectId, { policyId, query: allowed_reads });
  };
  // Each of the 300 items stands beside the same node of 1 MB.
  queryId = await save("MATCH (i:Item), (w:Wide)", ["i.external_id", "w.*"]);
  const wide = Array.from({ length: 10 }, (_, at) => `w${at}`);
  oneRowId = await save(
    // Few patterns are planned together.
    wide.map((alias) => `WITH * MATCH (${alias}:Wide)`).join(" "),
    wide.map((alias) => `${alias}.*`),
  );
}, 60_000);

it("a page ends at its bytes and says where the next one begins", async () => {
  const { heavy } = neighbours;
  const seen: unknown[] = [];
  const { faults } = await neighbours.beside(async () => {
    for (let page_token: number | undefined = 0; page_token !== undefined && seen.length < rows;) {
      const answer = await tryExecute({ id: queryId, page_size: rows, page_token }, heavy);
      expect(answer.status).toBe(200);
      expect(answer.text.length).toBeLessThan(pageBytes + rowBytes);
      // A body of 200.
      const { data, next_page_token } = answer.body as ExecuteResponse & {
        readonly next_page_token?: number;
      };
      expect(data.length).toBeGreaterThan(0);
      seen.push(...data.map(({ nodes }) => nodes?.["i.external_id"]));
      page_token = next_page_token;
    }
  });
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThanOrEqual(rows);
  expect(faults).toEqual([]);
}, 120_000);

it("a row that no page holds is refused with the limit", async () => {
  const errors = requireRefusal(await tryExecute({ id: oneRowId }, neighbours.heavy), 422);
  expect(errors.join()).toMatch(/page_bytes/);
}, 60_000);

/** Asks for a page and reads nothing of the answer. @returns ends the connection */
const askWithoutReading = (key: string): (() => void) => {
  const { hostname, port, host } = new URL(environment().base_url);
  const body = JSON.stringify({ id: queryId, page_size: rows });
  const socket = connect({ host: hostname, port: Number(port || 80) });
  socket.on("error", () => {});
  socket.pause();
  socket.write(
    `POST /ciq/v1/execute HTTP/1.1\r\nHost: ${host}\r\nX-SVC-ClientKey: ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return () => socket.destroy();
};

it("readers that read nothing, and many pages at once, cost the light tenant no answer", async () => {
  const { heavy } = neighbours;
  const { result, faults } = await neighbours.beside(async () => {
    const ends = Array.from({ length: long(10, 40) }, () => askWithoutReading(heavy.key));
    const answers = await Promise.all(
      Array.from({ length: long(4, 20) }, () => tryExecute({ id: queryId, page_size: rows }, heavy)),
    );
    await pause(long(2_000, 20_000));
    ends.forEach((end) => end());
    return answers;
  });
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(result))}\n`);
  expect(faultyRefusals(result)).toEqual([]);
  expect(faults).toEqual([]);
}, 120_000);
