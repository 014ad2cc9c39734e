/** What the heavy tenant does beside the light one; each load repeats itself until its phase ends. */
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { pipeline } from "../../../stack/src/measurement/pipeline.ts";
import { makeIssuer } from "../auth/issuer.ts";
import { type Client, openClient } from "./client.ts";
import { type Heavy, itemId, question } from "./heavy.ts";
import type { LoadName } from "./load-names.ts";
import { plan, sizes } from "./plan.ts";

/** Answers by status; `none` where none came. */
export type Counts = Map<string, number>;

/** Runs until `stop`; then awaits what is under way, for at most some seconds. */
export type Load = (stop: AbortSignal) => Promise<Counts>;

const paths = {
  searches: "/access/v1/search/resource",
  evaluations: "/access/v1/evaluation",
  executions: "/ciq/v1/execute",
  imports: "/capture/v1/imports",
} as const;

type Send = (number: number, signal: AbortSignal) => Promise<string>;

/** So many callers, each of which sends its next request when it has the answer to the last one. */
const callers =
  (count: number, send: Send): Load =>
  async (stop) => {
    const counts: Counts = new Map();
    const cut = new AbortController();
    const cutOff = (): void => void setTimeout(() => cut.abort(), plan.drainMs).unref();
    stop.addEventListener("abort", cutOff, { once: true });
    let next = 0;
    const caller = async (): Promise<void> => {
      while (!stop.aborted) {
        const status = await send(next++, cut.signal).catch(() => "none");
        counts.set(status, (counts.get(status) ?? 0) + 1);
        if (status !== "200" && status !== "202") await delay(sizes.refusedMs);
      }
    };
    await Promise.all(Array.from({ length: count }, caller));
    return counts;
  };

const lines = (import_: number): Buffer<ArrayBuffer> =>
  gzipSync(
    Array.from(
      { length: sizes.importRows },
      (_, at) => `${JSON.stringify({ node: { type: "Row", external_id: `row-${import_}-${at}` } })}\n`,
    ).join(""),
  );

/** Ten imports at once, each begun again when it has ended; what has not ended with the phase is cancelled. */
const importing =
  (client: Client, files: readonly Buffer<ArrayBuffer>[]): Load =>
  async (stop) => {
    const counts: Counts = new Map();
    const running = new Set<string>();
    const headers = { "content-type": "application/x-ndjson", "content-encoding": "gzip" };
    const hasEnded = async (id: string): Promise<boolean> => {
      const { text } = await client.get(`${paths.imports}/${id}`);
      return !["receiving", "queued", "running"].includes((JSON.parse(text) as { status: string }).status); // of the interface
    };
    const importAgain = async (file: Buffer<ArrayBuffer>): Promise<void> => {
      const { status, text } = await client.post(paths.imports, file, { headers, signal: stop });
      counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
      if (status !== 202) return delay(sizes.refusedMs);
      const { id } = JSON.parse(text) as { id: string }; // the body of 202
      running.add(id);
      while (!stop.aborted && !(await hasEnded(id))) await delay(sizes.pollMs);
      if (!stop.aborted) running.delete(id);
    };
    const repeat = async (file: Buffer<ArrayBuffer>): Promise<void> => {
      while (!stop.aborted)
        await importAgain(file).catch(() => void counts.set("none", (counts.get("none") ?? 0) + 1));
    };
    await Promise.all(files.map(repeat));
    await Promise.all([...running].map((id) => client.delete(`${paths.imports}/${id}`).catch(() => {})));
    return counts;
  };

/** One connection after the other, each with 120 searches at once. */
const pipelining =
  (baseUrl: string, { apiKey }: Heavy): Load =>
  async (stop) => {
    const counts: Counts = new Map();
    const body = JSON.stringify(question("SLOW"));
    while (!stop.aborted) {
      const requests = { path: paths.searches, apiKey, body, count: sizes.pipelined };
      const answers = await pipeline(baseUrl, requests, stop);
      counts.set("answers", (counts.get("answers") ?? 0) + answers.length);
      await delay(sizes.refusedMs);
    }
    return counts;
  };

export interface Loads {
  readonly byName: ReadonlyMap<LoadName, Load>;
  close(): Promise<void>;
}

/** A decision whose audit record is large. */
const largeEvaluation = (): Buffer => {
  // Values short enough to be recorded in full.
  const text = "v".repeat(1_000);
  const parameters = Object.fromEntries(
    Array.from({ length: sizes.auditBytes / text.length }, (_, at) => [`p${at}`, text]),
  );
  return Buffer.from(JSON.stringify({ ...question("BUSY", "none"), context: { input_params: parameters } }));
};

/** Each load by itself. */
const singleLoads = (
  baseUrl: string,
  heavy: Heavy,
  client: ReturnType<typeof openClient>,
): ReadonlyMap<LoadName, Load> => {
  const posting =
    (path: string, bodyOf: (number: number) => object): Send =>
    async (number, signal) =>
      String((await client.post(path, JSON.stringify(bodyOf(number)), { signal })).status);
  const search = posting(paths.searches, () => question("SLOW"));
  const evaluation = posting(paths.evaluations, (number) => question("SLOW", itemId(number % 100)));
  const execution = (id: string): Send => posting(paths.executions, () => ({ id }));
  // It has the name of the project's issuer, and a key of its own.
  const forger = makeIssuer();
  const withForgedToken: Send = async (_number, signal) => {
    const authorization = `Bearer ${await (await forger).sign()}`;
    const body = JSON.stringify(question("BUSY", "none"));
    return String(
      (await client.post(paths.evaluations, body, { headers: { authorization }, signal })).status,
    );
  };
  const large = largeEvaluation();
  const files = Array.from({ length: sizes.imports }, (_, at) => lines(at));
  return new Map<LoadName, Load>([
    [
      "slow-policy",
      callers(sizes.slowCallers, (number, signal) =>
        (number % 2 === 0 ? search : evaluation)(number, signal),
      ),
    ],
    ["brief-queries", callers(sizes.queries, execution(heavy.briefQuery))],
    ["heavy-queries", callers(sizes.queries, execution(heavy.longQuery))],
    ["memory-queries", callers(sizes.memoryQueries, execution(heavy.largeQuery))],
    ["pipelined-searches", pipelining(baseUrl, heavy)],
    ["imports", importing(client, files)],
    ["invalid-tokens", callers(sizes.tokenCallers, withForgedToken)],
    [
      "audit-records",
      callers(sizes.auditCallers, async (_number, signal) =>
        String((await client.post(paths.evaluations, large, { signal })).status),
      ),
    ],
  ]);
};

/** Runs loads at the same time and adds their counts up. */
const together =
  (loads: readonly Load[]): Load =>
  async (stop) => {
    const all: Counts = new Map();
    for (const part of await Promise.all(loads.map((load) => load(stop))))
      for (const [status, count] of part) all.set(status, (all.get(status) ?? 0) + count);
    return all;
  };

/** The loads of a tenant on the gateway at `baseUrl`. */
export const openLoads = (baseUrl: string, heavy: Heavy): Loads => {
  const client = openClient(baseUrl, heavy.apiKey, 128);
  const single = singleLoads(baseUrl, heavy, client);
  return {
    byName: new Map([...single, ["everything", together([...single.values()])] as const]),
    close: () => client.close(),
  };
};

/** Counts as one cell of a table. */
export const describeCounts = (counts: Counts): string =>
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ");
