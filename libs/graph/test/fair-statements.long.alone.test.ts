import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { connectGraph, type Database, type Graph, type StatementClass } from "../src/index.ts";

const queueMs = 1_500;
const settings = { poolSize: 20, heavyStatements: 1, queueLength: 200, queueMs };
let graph: Graph;
beforeAll(async () => {
  graph = connectGraph({ ...neo4jOfTests(), ...settings });
  // The first statements of a server that has just started take longer.
  for (let i = 0; i < 50; i++) await graph.shared.read(lightText, {}, { timeoutMs: 30_000 });
}, 60_000);
afterAll(() => graph.close());

/** A project that no other test has measurements of. */
const project = () => ({ id: randomBytes(4).toString("hex"), pk: randomBytes(4).toString("hex") });
const of = (whose: ReturnType<typeof project>, statementClass: StatementClass = "query"): Database =>
  graph.of(whose, undefined, statementClass);

/** Keeps a processor busy until its limit. */
const endless = "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x + y) AS s";
const lightText = "RETURN 1 AS one";

/** So many endless statements at once, each for so long; what became of them. */
const flood = (database: Database, count: number, timeoutMs: number, signal?: AbortSignal) =>
  Promise.all(
    Array.from({ length: count }, () =>
      database.read(endless, {}, { timeoutMs, signal }).then(
        () => "ended",
        (error: unknown) => error,
      ),
    ),
  );

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** Statements with these words that the server has in hand. */
const onServer = async (words: string): Promise<number> => {
  const [row] = await graph.shared.read(
    "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $words RETURN count(*) AS n",
    { words },
    { timeoutMs: 20_000 },
  );
  return Number(row?.["n"]);
};

describe("a project beside one that sends endless statements", () => {
  it("is answered, however many there are, and so is the platform", async () => {
    const heavy = of(project());
    const leaving = new AbortController();
    const ended = flood(heavy, 120, 20_000, leaving.signal);
    await wait(300);
    const light = of(project(), "decision");
    const took: number[] = [];
    for (let i = 0; i < 20; i++)
      took.push(await timed(() => light.read(lightText, {}, { timeoutMs: 5_000 })));
    for (let i = 0; i < 20; i++)
      took.push(await timed(() => light.readRow(rowText, {}, { timeoutMs: 5_000 })));
    took.push(await timed(() => light.write((tx) => tx.run(lightText, {}), { timeoutMs: 5_000 })));
    took.push(await timed(() => graph.shared.read(lightText, {}, { timeoutMs: 5_000 })));
    expect(await graph.ready()).toBe(true);
    leaving.abort(new Error("left"));
    await ended;
    expect(Math.max(...took)).toBeLessThan(2_500);
  });

  it("meets no more of them on the server than the processors allow", async () => {
    const [heavy, light] = [of(project()), of(project())];
    const leaving = new AbortController();
    await flood(heavy, 1, 300);
    const ended = flood(heavy, 50, 8_000, leaving.signal);
    let most = 0;
    for (let i = 0; i < 10; i++) {
      await light.read(lightText, {}, { timeoutMs: 5_000 });
      await wait(50);
      most = Math.max(most, await onServer("range(1, 100000) AS y"));
    }
    leaving.abort(new Error("left"));
    await ended;
    expect(most).toBe(1);
  });
});

const rowText = "UNWIND $rows AS row RETURN row.i AS i, 1 AS one";

describe("the queue of a project", () => {
  it("refuses what waited for too long: it was not sent, and nothing is written", async () => {
    const whose = project();
    const label = `_Scratch_${whose.pk}`;
    const [busy, other] = [of(whose, "capture"), of(project())];
    await other.read(lightText, {}, { timeoutMs: 5_000 });
    const create = `UNWIND range(1, 100000) AS x UNWIND range(1, 10000) AS y WITH sum(x + y) AS s CREATE (n:${label} {s: s})`;
    const leaving = new AbortController();
    const write = (timeoutMs: number) =>
      busy.write((tx) => tx.run(create, {}), { timeoutMs, signal: leaving.signal });
    await write(300).catch(() => undefined);
    const running = write(8_000).catch((error: unknown) => error);
    await other.read(lightText, {}, { timeoutMs: 5_000 });
    let sent = 0;
    // The database answers others meanwhile: it is there.
    const asking = setInterval(() => {
      void other.read(lightText, {}, { timeoutMs: 5_000 }).catch(() => undefined);
    }, 200);
    const started = performance.now();
    await expect(
      busy.write(
        async (tx) => {
          sent += 1;
          await tx.run(`CREATE (n:${label})`, {});
        },
        { timeoutMs: 30_000 },
      ),
    ).rejects.toMatchObject({
      code: "too_many_requests",
      status: 429,
      headers: { "Retry-After": "1" },
      errors: [expect.stringContaining("NEO4J_QUEUE_MS")],
    });
    expect(performance.now() - started).toBeLessThan(queueMs + 1_000);
    clearInterval(asking);
    expect(sent).toBe(0);
    leaving.abort(new Error("left"));
    await running;
    const rows = await graph.shared.read(`MATCH (n:${label}) RETURN count(n) AS n`, {}, { timeoutMs: 5_000 });
    expect(rows).toEqual([{ n: 0 }]);
  });

  it("refuses what comes when it is full", async () => {
    const whose = project();
    const leaving = new AbortController();
    const narrow = graph.of({ ...whose, limits: { concurrent_statements: 1 } });
    const ended = flood(narrow, 1 + settings.queueLength, 1_200, leaving.signal);
    await expect(narrow.read(lightText, {}, { timeoutMs: 5_000 })).rejects.toMatchObject({
      code: "too_many_requests",
      errors: [
        `concurrent_statements: the queue is full, ${settings.queueLength} statements of the project are waiting (limit NEO4J_QUEUE_LENGTH)`,
      ],
    });
    leaving.abort(new Error("left"));
    await ended;
  });

  it("is left by those who leave, and goes on with the others", async () => {
    const narrow = graph.of({ ...project(), limits: { concurrent_statements: 1 } });
    const first = narrow.read(endless, {}, { timeoutMs: 600 }).catch((error: unknown) => error);
    const leaving = new AbortController();
    const left = narrow.read(lightText, {}, { timeoutMs: 5_000, signal: leaving.signal });
    const stays = narrow.read(lightText, {}, { timeoutMs: 5_000 });
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    expect(await stays).toEqual([{ one: 1 }]);
    await first;
  });
});

it("refuses a project that has had its database time while statements of other projects wait, until it has some again", async () => {
  const limits = { concurrent_statements: 50, database_ms_per_second: 20 };
  const limited = graph.of({ ...project(), limits }, undefined, "decision");
  const text = "UNWIND range(1, 20000) AS x RETURN sum(x) AS s";
  const ask = (): Promise<unknown> =>
    limited.read(text, {}, { timeoutMs: 5_000 }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const askOften = async (): Promise<readonly unknown[]> => {
    const outcomes: unknown[] = [];
    for (let i = 0; i < 60; i++) outcomes.push(await ask());
    return outcomes;
  };
  // While no other project waits there is no limit.
  expect(new Set(await askOften())).toEqual(new Set([undefined]));
  const heavy = of(project());
  await flood(heavy, 1, 300);
  const leaving = new AbortController();
  const ended = flood(heavy, 50, 20_000, leaving.signal);
  await wait(300);
  const refused = (await askOften()).filter((error) => error !== undefined);
  expect(refused.length).toBeGreaterThan(10);
  for (const error of refused)
    expect(error).toMatchObject({
      code: "too_many_requests",
      status: 429,
      errors: [expect.stringContaining("(limit database_ms_per_second, 20)")],
    });
  const { headers } = refused.at(-1) as { readonly headers: Readonly<Record<string, string>> }; // as checked
  await wait(Number(headers["Retry-After"]) * 1_000 + 50);
  expect(await ask()).toBeUndefined();
  leaving.abort(new Error("left"));
  await ended;
});

it("counts a statement that was stopped until the server has ended it", async () => {
  // One function of Java: nothing asks in between whether the time is over.
  const stubborn = "RETURN $text CONTAINS $part AS stubborn";
  const texts = { text: "a".repeat(150_000), part: `${"a".repeat(75_000)}b` };
  const narrow = graph.of({ ...project(), limits: { concurrent_statements: 1 } });
  const leaving = new AbortController();
  const first = narrow
    .read(stubborn, texts, { timeoutMs: 20_000, signal: leaving.signal })
    .catch(() => "stopped");
  await wait(300);
  leaving.abort(new Error("left"));
  expect(await first).toBe("stopped");
  expect(await onServer("AS stubborn")).toBe(1);
  // The queue lets it wait for so long at most.
  const readLight = async (): Promise<unknown> => {
    const answer = await narrow.read(lightText, {}, { timeoutMs: 10_000 }).catch((error: unknown) => error);
    // Nothing else says that the database is there.
    if (!Array.isArray(answer)) expect(answer).toMatchObject({ code: "unavailable" });
    return answer;
  };
  await eventually(readLight, (answer) => Array.isArray(answer), { withinMs: 30_000, everyMs: 0 });
  expect(await onServer("AS stubborn")).toBe(0);
}, 30_000);
