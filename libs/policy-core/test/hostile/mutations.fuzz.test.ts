/**
 * Mutations of accepted policies and queries. `npm run test:long` holds 100,000 texts against the checker, besides those of
 * the corpus: each is refused with a place, or accepted. What is accepted is then
 *
 * - parsed by the vendor and planned by the database: 5,000 statements;
 * - run with the largest values, beside a tenant whose data none may read or change: as many statements as
 *   10 minutes allow, and 2,000 at least;
 * - executed, where it writes, in transactions that are rolled back: 500 queries.
 *
 * Time is measured in every run. Memory is measured in the long run alone, on a server whose heap holds
 * one expression and one transaction at their limits, and which ends beyond it; the server of `npm test`
 * has other tests meanwhile.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Graph, StatementTimeout } from "@ikg/graph";
import { projectLabel } from "@ikg/physical";
import type { Driver } from "neo4j-driver";
import { corpusIsAbsent } from "../../../../stack/src/testing/corpus.ts";
import type { Killable } from "../../../../stack/src/testing/servers/killable.ts";
import { startProbe } from "../bounds/probe.ts";
import { openTestGraph, options } from "../graph.ts";
import { inLongRun, isFuzzing, isLong, runs, timeLimit } from "../runs.ts";
import type { Printed } from "../sample-policies/statements-of.ts";
import { type CanaryTenant, openCanaryTenant } from "./canary-tenant.ts";
import { drawingOf, type Kind, readingStatements, writingQueries } from "./drawing.ts";
import { openPlanner, typeOf } from "./explain.ts";
import { inspectReads } from "./inspect-reads.ts";
import { inspectWork, inspectWrites, newTime } from "./inspect-writes.ts";
import type { Finding, Inspection } from "./inspection.ts";
import { dangersIn } from "./outcome.ts";
import { dropHostileGraph, hostileProject, writeHostileGraph } from "./run-accepted.ts";
import { connectTo, openSmallServer } from "./small-server.ts";
import { type Run, tenantDigest } from "./tenant-digest.ts";

/** Statements that are parsed and planned. The vendor's parser takes 10 ms, the database likewise. */
const planCount = isLong() ? 5_000 : Math.max(8, runs(0));
/** Statements that are run, at least; the long run goes on for its time. */
const minRunCount = isLong() ? 2_000 : Math.max(30, runs(0));
const longRunMs = isLong() ? 600_000 : 0;
const batchSize = 200;
/** Queries that are run whole. */
const writeCount = isLong() ? 500 : Math.max(3, runs(0));
/** What a test requires of such a count; `npm run fuzz` may draw too few texts for it. */
const least = (count: number): number => (isFuzzing() ? 1 : count);

/**
 * A statement ends within a second after its limit; planning is not interrupted, and the machine may be
 * busy.
 */
const limitMs = isLong() ? 3_000 : 1_000;
const [graceMs, slackMs] = [1_000, 2_000];
const mostMs = 3_000 + graceMs + slackMs;
/** A statement that takes longer once it is planned would double the time of this file. */
const repeatMs = 300;
/** Several statements, each planned for the first time. */
const writeLimitMs = 5_000;

let driver: Driver;
/** Of the long run. */
let server: Killable | undefined;
let graph: Graph;
let canary: CanaryTenant;

beforeAll(async () => {
  driver = openPlanner();
  if (isLong()) server = await openSmallServer();
  graph = server === undefined ? openTestGraph(false) : connectTo(server);
  await graph.prepare();
  await writeHostileGraph(graph);
  canary = openCanaryTenant(graph);
  await canary.write();
}, 300_000);
afterAll(async () => {
  try {
    await driver?.close();
    // A server of this file's own is removed whole; it may have ended.
    if (server === undefined && graph !== undefined) {
      await canary?.drop();
      await dropHostileGraph(graph);
    }
    await graph?.close();
  } finally {
    await server?.remove();
  }
}, 120_000);

const inspection = (): Inspection => ({ graph, canary, limitMs, mostMs, repeatMs });
const writeInspection = (): Inspection => ({
  ...inspection(),
  limitMs: writeLimitMs,
  mostMs: writeLimitMs + graceMs + slackMs,
});

const hostileDigest = (): Promise<string> =>
  tenantDigest((text, params) => graph.shared.read(text, params, options), hostileProject);

/** A digest of a tenant that has both nodes and relationships. */
const digestWithData = /^[1-9]\d* nodes, [1-9]\d* relationships, /;

const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** Requires that each text of a kind is accepted, or refused with a place. Draws them where no test has. */
const attack = (kind: Kind): void => {
  const { error } = drawingOf(kind);
  if (error !== undefined) throw error;
};

describe("mutations", () => {
  it(
    "of our policies and queries are taken or refused with a place",
    () => attack("ours"),
    timeLimit(600_000),
  );

  it("of queries that write are taken or refused with a place", () => attack("writers"), timeLimit(600_000));

  (corpusIsAbsent === undefined ? it : it.skip)(
    `of the corpus are taken or refused with a place${corpusIsAbsent === undefined ? "" : ` (skipped: ${corpusIsAbsent})`}`,
    () => attack("corpus"),
    timeLimit(600_000),
  );

  it("of every position are taken or refused with a place", () => attack("positions"), timeLimit(600_000));

  it(
    "that are taken read one project and do nothing else, for the vendor's parser and for the database",
    async () => {
      const statements = readingStatements().slice(0, planCount);
      expect(statements.length).toBeGreaterThanOrEqual(least(planCount));
      expect(dangersIn(statements)).toEqual([]);
      let plans = 0;
      for (const { text } of statements) {
        const type = await typeOf(driver, text);
        if (type === "r") plans += 1;
        else if (!/^Neo\.ClientError\.Statement\.(Syntax|Semantic|Type)/.test(type))
          expect({ type, text }).toEqual({ type: "r", text });
      }
      report(`hostile texts: ${plans} of ${statements.length} statements planned`);
      expect(plans).toBeGreaterThan(statements.length / 2);
    },
    timeLimit(600_000),
  );

  it(
    "that are taken end in time with the largest values, read no other tenant, and cost none an answer",
    async () => {
      const statements = readingStatements();
      const findings: Finding[] = [];
      const counts = { runs: 0, answers: 0, comparisons: 0 };
      const probe = await startProbe(graph);
      const end = performance.now() + longRunMs;
      const size = Math.min(batchSize, minRunCount);
      try {
        for (let at = 0; at < minRunCount || performance.now() < end; at += size) {
          if (at >= statements.length || findings.length > 0) break;
          const batch = await inspectReads(inspection(), statements.slice(at, at + size));
          findings.push(...batch.findings);
          counts.runs += batch.runs;
          counts.answers += batch.answers;
          counts.comparisons += batch.comparisons;
        }
      } finally {
        // The findings say why where the server has ended.
        await Promise.allSettled([probe.stop()]);
      }
      report(`hostile texts that read: ${JSON.stringify(counts)}`);
      expect(findings).toEqual([]);
      expect(counts.runs).toBeGreaterThanOrEqual(least(minRunCount));
      // Limits and values may end some, and some take too long to be run again.
      expect(counts.answers).toBeGreaterThan(counts.runs / 2);
      expect(counts.comparisons).toBeGreaterThan(counts.answers / 3);
      expect(probe.failures).toEqual([]);
      // A small heap is collected more often.
      const most = graceMs + slackMs + (isLong() ? slackMs : 0);
      expect(probe.answers.filter((ms) => ms >= most)).toEqual([]);
      expect(probe.answers.length).toBeGreaterThan(0);
    },
    timeLimit(600_000),
  );

  it(
    "that are taken and write change their own project alone, and nothing once they are rolled back",
    async () => {
      const queries = writingQueries();
      const [own, other] = [await hostileDigest(), await canary.digest()];
      for (const digest of [own, other]) expect(digest).toMatch(digestWithData);
      const { findings, ...counts } = await inspectWrites(writeInspection(), queries, writeCount);
      report(`hostile texts that write: ${JSON.stringify(counts)}`);
      expect(findings).toEqual([]);
      expect(counts.queryRuns).toBeGreaterThanOrEqual(least(writeCount));
      // Some match nothing, or bring a value that may not be written.
      expect(counts.writeRuns).toBeGreaterThan(counts.executions / 4);
      expect([await hostileDigest(), await canary.digest()]).toEqual([own, other]);
    },
    timeLimit(300_000),
  );
});

/** What a statement does to another tenant, its text for the label of that tenant, and what is found. */
type Case<T> = readonly [name: string, textFor: (label: string) => string, found: T];

describe("what no mutation may do is seen", () => {
  const label = (): string => projectLabel(canary.pk);
  /** A busy machine may take long to plan a short statement. */
  const generousInspection = (): Inspection => ({
    ...inspection(),
    limitMs: 20_000,
    mostMs: 30_000,
    repeatMs: 20_000,
  });
  const reading = (text: string): Printed => ({ purpose: "read", text, writes: false });

  const reads: readonly Case<string>[] = [
    ["splits a key of", (of) => `MATCH (n:${of}) RETURN split(n._key, '') AS x`, "answered values of"],
    ["counts nodes of", (of) => `MATCH (n:${of}) RETURN count(n) AS x`, "depends on the data of"],
    ...inLongRun<Case<string>>([
      ["returns a node of", (of) => `MATCH (n:${of}) RETURN n`, "answered values of"],
      ["reverses a text of", (of) => `MATCH (n:${of}) RETURN reverse(n.a) AS x`, "answered values of"],
      ["splits a text of", (of) => `MATCH (n:${of}) RETURN split(n.a, '') AS x`, "answered values of"],
      ["returns a key of", (of) => `MATCH (n:${of}) RETURN toUpper(n._key) AS x`, "answered values of"],
      ["reverses a key of", (of) => `MATCH (n:${of}) RETURN reverse(n._key) AS x`, "answered values of"],
      ["looks for", (of) => `RETURN EXISTS { (:${of})-[:KNOWS]->() } AS x`, "depends on the data of"],
    ]),
  ];

  it.each(reads)("a statement that %s another tenant", async (_name, textFor, fault) => {
    const statement = reading(textFor(label()));
    const { findings } = await inspectReads(generousInspection(), [statement]);
    expect(findings).toEqual([{ fault: `${fault} another tenant`, text: statement.text }]);
  });

  it("a statement that takes too long", async () => {
    const { findings } = await inspectReads({ ...generousInspection(), mostMs: 0 }, [
      reading("RETURN 1 AS x"),
    ]);
    expect(findings).toEqual([{ fault: expect.stringMatching(/^took \d+ ms$/), text: "RETURN 1 AS x" }]);
  });

  it("a statement that ends the server after its own time limit", async () => {
    const errors = [new StatementTimeout(1), new Error("the server has ended")];
    // The parts that the run of a statement uses.
    const ending = { shared: { read: () => Promise.reject(errors.shift() ?? new Error("unexpected read")) } };
    const endingInspection = { ...generousInspection(), graph: ending as unknown as Graph };
    const { findings } = await inspectReads(endingInspection, [reading("RETURN 1 AS x")]);
    expect(findings).toEqual([{ fault: "failed: Error: the server has ended", text: "RETURN 1 AS x" }]);
  });

  it("a database that fails after the last statement", async () => {
    let digests = 0;
    const digest = (): Promise<string> =>
      digests++ === 0 ? canary.digest() : Promise.reject(new Error("the server has ended"));
    const failingInspection = { ...generousInspection(), canary: { ...canary, digest } };
    const { findings } = await inspectReads(failingInspection, [reading("RETURN 1 AS x")]);
    const fault = "the database failed after: Error: the server has ended";
    expect(findings).toEqual([{ fault, text: "RETURN 1 AS x" }]);
  });

  const writes: readonly Case<readonly string[]>[] = [
    ["changes", (of) => `MATCH (n:${of}) SET n.x = 1`, ["changed the data of another tenant"]],
    [
      "connects its own project with",
      (of) => `MATCH (a:_P__00000000) MATCH (b:${of}) CREATE (a)-[:ON {_update_time: $now}]->(b)`,
      ["changed the data of another tenant", "wrote outside of the project"],
    ],
    [
      "is of no project, beside",
      () => "CREATE (:_Node {update_time: $now})",
      ["wrote outside of the project"],
    ],
    ...inLongRun<Case<readonly string[]>>([
      ["deletes", (of) => `MATCH (n:${of}) DETACH DELETE n`, ["changed the data of another tenant"]],
      ["adds to", (of) => `CREATE (n:${of}:_Node)`, ["changed the data of another tenant"]],
    ]),
  ];

  it.each(writes)("a write that %s another tenant", async (_name, textFor, faults) => {
    const [before, now] = [await canary.digest(), newTime()];
    const found = await inspectWork(
      generousInspection(),
      async (run) => ({ rows: await run(textFor(label()), { now }), writes: 1 }),
      now,
    );
    expect(found.faults).toEqual(faults);
    // It was rolled back.
    expect(await canary.digest()).toBe(before);
  });

  it("a write after which other tenants cannot be looked at", async () => {
    const now = newTime();
    const digest = async (run?: Run): Promise<string> => {
      await run?.("RETURN 1 / size('') AS x", {});
      return canary.digest();
    };
    const { faults } = await inspectWork(
      { ...generousInspection(), canary: { ...canary, digest } },
      async (run) => ({ rows: await run("CREATE (n:_P__00000000) SET n.x = 1", {}), writes: 1 }),
      now,
    );
    expect(faults).toEqual([expect.stringMatching(/^could not be inspected: DataFault: /)]);
  });

  it("a statement that a value ends, which counts as no answer", async () => {
    const result = await inspectReads(generousInspection(), [reading("RETURN 1 / size('') AS x")]);
    expect(result).toEqual({ findings: [], runs: 1, answers: 0, comparisons: 0 });
  });

  it("nothing where nothing is wrong", async () => {
    const own = reading("MATCH (n:_P__00000000) RETURN n.external_id AS id");
    const result = await inspectReads(generousInspection(), [own]);
    expect(result).toEqual({ findings: [], runs: 1, answers: 1, comparisons: 1 });
    const now = newTime();
    const { faults } = await inspectWork(
      generousInspection(),
      async (run) => ({
        rows: await run("MATCH (n:_P__00000000) SET n.update_time = $now", { now }),
        writes: 1,
      }),
      now,
    );
    expect(faults).toEqual([]);
  });
});
