import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  DataFault,
  isConstraintViolation,
  isGraphNode,
  isGraphPath,
  isGraphRelationship,
  StatementTimeout,
} from "../src/index.ts";
import { scratchLabel, watchedGraph } from "./backend.ts";

const { graph, events } = watchedGraph();
const database = graph.shared;
const label = scratchLabel();
const options = { timeoutMs: 80_000 };
const endless = "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x + y) AS s";

beforeEach(() => void events.splice(0));
afterAll(async () => {
  await database.write((tx) => tx.run(`MATCH (n:${label}) DETACH DELETE n`, {}), options);
  await graph.close();
});

/** Transactions on the server that carry a request id. */
const running = (requestId: string) =>
  database.read(
    "SHOW TRANSACTIONS YIELD metaData WHERE metaData.request_id = $id RETURN count(*) AS count",
    { id: requestId },
    options,
  );

/** Waits until so many carry it. */
const becomes = (count: number, requestId: string) =>
  eventually(
    () => running(requestId),
    ([row]) => row?.["count"] === count,
    { withinMs: 500, everyMs: 20 },
  );

describe("read", () => {
  it("takes values there and back with kind and order", async () => {
    const values = {
      int: 30,
      largest: 2 ** 53 - 1,
      negative: -5,
      float: 30.5,
      huge: 1e300,
      text: "30 \u0000 '\"`\\ 𝄞",
      yes: true,
      no: false,
      nothing: null,
      texts: ["b", "a", "b"],
      ints: [3, 1, 2],
      floats: [0.5, 1.25],
      empty: [],
      map: { deep: { list: [{ x: 1 }] } },
    };
    expect(await database.read("RETURN $values AS values", { values }, options)).toEqual([{ values }]);
    expect(
      await database.read(
        "RETURN [x IN $list | valueType(x)] AS kinds",
        { list: [1, 1.5, "1", true] },
        options,
      ),
    ).toEqual([{ kinds: ["INTEGER NOT NULL", "FLOAT NOT NULL", "STRING NOT NULL", "BOOLEAN NOT NULL"] }]);
    expect(
      await database.read(
        "UNWIND range(1, 3) AS n RETURN n SKIP $skip LIMIT $limit",
        { skip: 1, limit: 1 },
        options,
      ),
    ).toEqual([{ n: 2 }]);
  });

  it("brings all rows, however many", async () => {
    const rows = await database.read("UNWIND range(1, 3000) AS n RETURN n", {}, options);
    expect(rows.map((row) => row["n"])).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
  });

  it("refuses every write", async () => {
    const error = await database.read(`CREATE (n:${label}) RETURN n`, {}, options).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: "internal",
      cause: { code: "Neo.ClientError.Statement.AccessMode" },
    });
    expect(events).toMatchObject([{ failed: true }]);
  });

  it("gives nodes, relationships and paths as the driver has them, with plain numbers", async () => {
    await database.write(
      (tx) => tx.run(`CREATE (:${label} {n: 1})-[:T {w: 2}]->(:${label} {n: 3})`, {}),
      options,
    );
    const [row] = await database.read(`MATCH p = (a:${label} {n: 1})-[r:T]->(b) RETURN a, r, p`, {}, options);
    const { a, r, p } = row ?? {};
    expect([
      isGraphNode(a),
      isGraphRelationship(r),
      isGraphPath(p),
      isGraphNode(r),
      isGraphNode(null),
    ]).toEqual([true, true, true, false, false]);
    if (!isGraphNode(a) || !isGraphRelationship(r) || !isGraphPath(p)) return;
    expect([a.labels, a.properties, r.type, r.properties, p.length]).toEqual([
      [label],
      { n: 1 },
      "T",
      { w: 2 },
      1,
    ]);
  });

  it("says nothing of the text when the statement is wrong", async () => {
    const error = await database.read("RETURN $secret +", { secret: 1 }, options).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DataFault);
    expect(String(error)).not.toMatch(/secret|RETURN/);
  });

  it("stops at its limit, here and on the server", async () => {
    const started = performance.now();
    const slow = database.read(endless, {}, { timeoutMs: 300, requestId: "limit-test" });
    await expect(slow).rejects.toBeInstanceOf(StatementTimeout);
    expect(performance.now() - started).toBeLessThan(2_000);
    await becomes(0, "limit-test");
  });

  it("stops when the caller leaves, and affects no other caller", async () => {
    const caller = new AbortController();
    const slow = database.read(endless, {}, { ...options, signal: caller.signal, requestId: "abort-test" });
    await becomes(1, "abort-test");
    caller.abort(new Error("left"));
    await expect(slow).rejects.toThrow("left");
    await becomes(0, "abort-test");
    await expect(database.read("RETURN 1", {}, { ...options, signal: caller.signal })).rejects.toThrow(
      "left",
    );
  });

  it("tells the hook text, rows, time and outcome", async () => {
    await database.read("UNWIND [1, 2] AS x RETURN x", {}, options);
    expect(events).toEqual([
      { text: "UNWIND [1, 2] AS x RETURN x", rows: 2, failed: false, ms: expect.any(Number) },
    ]);
  });
});

describe("write", () => {
  it("commits what work did and gives back what it returned", async () => {
    const value = await database.write(async (tx) => {
      await tx.run(`CREATE (:${label} {key: $key})`, { key: "committed" });
      return "done";
    }, options);
    expect(value).toBe("done");
    expect(
      await database.read(`MATCH (n:${label} {key: 'committed'}) RETURN count(n) AS c`, {}, options),
    ).toEqual([{ c: 1 }]);
  });

  it("rolls back when work throws, and throws the same", async () => {
    const refusal = new Problem("unprocessable", { errors: ["x: y"] });
    const work = database.write(async (tx) => {
      await tx.run(`CREATE (:${label} {key: 'rolled-back'})`, {});
      throw refusal;
    }, options);
    await expect(work).rejects.toBe(refusal);
    expect(await database.read(`MATCH (n:${label} {key: 'rolled-back'}) RETURN n`, {}, options)).toEqual([]);
  });

  it("carries out statements started together in the order of the calls", async () => {
    const [created, found] = await database.write(
      (tx) =>
        Promise.all([
          tx.run(`CREATE (n:${label} {key: 'ordered'}) RETURN n.key AS key`, {}),
          tx.run(`MATCH (n:${label} {key: 'ordered'}) RETURN count(n) AS c`, {}),
        ]),
      options,
    );
    expect([created, found]).toEqual([[{ key: "ordered" }], [{ c: 1 }]]);
  });

  it("does not commit after a failed statement, even if work overlooked it", async () => {
    const work = database.write(async (tx) => {
      await tx.run(`CREATE (:${label} {key: 'overlooked'})`, {});
      await tx.run("RETURN 1 / 0", {}).catch(() => undefined);
    }, options);
    await expect(work).rejects.toMatchObject({ name: "DataFault" });
    expect(await database.read(`MATCH (n:${label} {key: 'overlooked'}) RETURN n`, {}, options)).toEqual([]);
  });

  it("lets a unique key that is taken be told from other failures", async () => {
    await graph.prepare();
    const create = () =>
      database.write((tx) => tx.run(`CREATE (:_Node:${label} {_key: $key})`, { key: label }), options);
    await create();
    const error = await create().catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "internal" });
    expect(isConstraintViolation(error)).toBe(true);
  });

  it("tries a deadlocked transaction again until it is through", async () => {
    await database.write(
      (tx) => tx.run(`CREATE (:${label} {lock: 'a', n: 0}), (:${label} {lock: 'b', n: 0})`, {}),
      options,
    );
    const add = (lock: string) => `MATCH (n:${label} {lock: '${lock}'}) SET n.n = n.n + 1`;
    let tries = 0;
    // Each takes one lock, then the other's: one of the two has to give way.
    const cross = (first: string, second: string) =>
      database.write(async (tx) => {
        tries++;
        await tx.run(add(first), {});
        await wait(150);
        await tx.run(add(second), {});
      }, options);
    await Promise.all([cross("a", "b"), cross("b", "a")]);
    expect(tries).toBeGreaterThan(2);
    expect(
      await database.read(`MATCH (n:${label}) WHERE n.lock IS NOT NULL RETURN n.n AS n`, {}, options),
    ).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it("rolls back at its limit and when the caller leaves", async () => {
    const slow = (key: string, more: object) =>
      database.write(
        async (tx) => {
          await tx.run(`CREATE (:${label} {key: $key})`, { key });
          await tx.run(endless, {});
        },
        { ...options, ...more },
      );
    await expect(slow("limit", { timeoutMs: 300 })).rejects.toBeInstanceOf(StatementTimeout);
    const caller = new AbortController();
    const left = slow("left", { signal: caller.signal });
    await wait(200);
    caller.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    await wait(300);
    expect(
      await database.read(`MATCH (n:${label}) WHERE n.key IN ['limit', 'left'] RETURN n`, {}, options),
    ).toEqual([]);
  });
});

describe("readRow", () => {
  const text = "UNWIND $rows AS row RETURN row.i AS i, 100 / row.n AS share";

  it("answers rows that wait together in few statements, each to its caller", async () => {
    const reads = Array.from({ length: 1000 }, (_, n) => database.readRow(text, { n: n + 1 }, options));
    const answers = await Promise.all(reads);
    answers.forEach((row, n) => expect(row?.["share"]).toBe(Math.trunc(100 / (n + 1))));
    expect(events.map((event) => event.rows).sort((a, b) => a - b)).toEqual([232, 256, 256, 256]);
  });

  it("fails only the row that is guilty", async () => {
    const settled = await Promise.allSettled([1, 0, 4].map((n) => database.readRow(text, { n }, options)));
    expect(settled).toMatchObject([
      { status: "fulfilled", value: { share: 100 } },
      { status: "rejected", reason: { name: "DataFault" } },
      { status: "fulfilled", value: { share: 25 } },
    ]);
  });
});

describe("writeOnce", () => {
  const count = async (): Promise<unknown> =>
    (await database.read(`MATCH (n:${label}:Once) RETURN count(n) AS count`, {}, options))[0]?.["count"];
  const make = `CREATE (n:${label}:Once {x: $x}) WITH n`;

  it("commits one statement, answers its row and says what later reads have to see", async () => {
    const commits: unknown[] = [];
    const onCommit = (bookmarks: unknown): void => void commits.push(bookmarks);
    const rows = await database.writeOnce(`${make} RETURN n.x AS x`, { x: 5 }, { ...options, onCommit });
    expect(rows).toEqual([{ x: 5 }]);
    expect(commits).toEqual([{ "": [expect.any(String)] }]);
    expect(await count()).toBe(1);
    expect(events).toContainEqual(expect.objectContaining({ rows: 1, failed: false }));
  });

  it("leaves nothing when it fails, with the failure of a statement", async () => {
    const before = await count();
    const divided = database.writeOnce(`${make} RETURN 1 / $y AS x`, { x: 1, y: 0 }, options);
    await expect(divided).rejects.toBeInstanceOf(DataFault);
    await expect(database.writeOnce("CREATE (", {}, options)).rejects.toBeInstanceOf(DataFault);
    expect(await count()).toBe(before);
  });

  it("is stopped on the server at its limit and when it is aborted, and leaves nothing", async () => {
    const before = await count();
    const long = `${make} UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a + b) AS s`;
    const started = performance.now();
    const late = database.writeOnce(long, { x: 1 }, { timeoutMs: 700, requestId: "once-late" });
    await expect(late).rejects.toMatchObject({ name: "StatementTimeout", timeoutMs: 700 });
    const given = new AbortController();
    const aborted = database.writeOnce(
      long,
      { x: 1 },
      { ...options, signal: given.signal, requestId: "once-aborted" },
    );
    await wait(300);
    given.abort(new Error("gone"));
    await expect(aborted).rejects.toThrow("gone");
    expect(performance.now() - started).toBeLessThan(3_000);
    for (const id of ["once-late", "once-aborted"]) expect(await running(id)).toEqual([{ count: 0 }]);
    expect(await count()).toBe(before);
  });

  it("waits for what another holds, for as long as it may", async () => {
    const key = `${label}-once`;
    await database.writeOnce(`CREATE (n:${label}:Once {x: $key}) RETURN 1 AS one`, { key }, options);
    const hold = `MATCH (n:${label}:Once {x: $key}) SET n.held = true RETURN 1 AS one`;
    await database.write(async (tx) => {
      await tx.run(hold, { key });
      await expect(database.writeOnce(hold, { key }, { timeoutMs: 500 })).rejects.toMatchObject({
        name: "StatementTimeout",
      });
    }, options);
    expect(await database.writeOnce(hold, { key }, options)).toEqual([{ one: 1 }]);
  });
});
