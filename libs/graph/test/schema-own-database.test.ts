import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { neo4jOfTests, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import {
  connectGraph,
  type Connection,
  type Database,
  type Graph,
  type OwnSchemaEvent,
} from "../src/index.ts";

const options = { timeoutMs: 30_000 };
const ageMs = 300;
const shortly = { ownSchemaAgeMs: ageMs };

const second: Connection = {
  url: requireVariable("SECOND_NEO4J_URI"),
  username: requireVariable("SECOND_NEO4J_USERNAME"),
  password: requireVariable("SECOND_NEO4J_PASSWORD"),
};
const { uri, username, password } = neo4jOfTests();
const first: Connection = { url: uri, username, password };

const own = (id: string, connection = second) => ({ id, pk: "", connection });
const tooNew =
  "the data has schema version 7, which requires a release that supports version 6 or later; this release supports schema versions 0 to 1: run the release that upgraded the data or a later one, see docs/upgrading.md";
const tooOld =
  "the data has schema version -1; this release supports schema versions 0 to 1: the service configs migrates it, or logs why it cannot, see docs/upgrading.md";
const refusedFor = (reason: string) => ({
  code: "unavailable",
  status: 503,
  headers: { "Retry-After": "5" },
  errors: [`database: ${reason}`],
});

/** The second server, for what another release does to it. */
let other: Graph;
let graph: Graph;
let statements: string[];
let events: OwnSchemaEvent[];

const inSecond = (text: string, params: Readonly<Record<string, unknown>> = {}) =>
  other.shared.write((tx) => tx.run(text, params), options);
const setVersion = (version: number, readableFrom: number) =>
  inSecond(
    "MERGE (c:_Claim {key: 'database'}) SET c.schema_version = $version, c.schema_readable_from = $readableFrom",
    { version, readableFrom },
  );
const removeClaim = () => inSecond("MATCH (c:_Claim) DELETE c");

const connect = (settings: object = {}): Graph =>
  connectGraph(
    { ...neo4jOfTests(), ...settings },
    {
      onStatement: ({ text }) => void statements.push(text),
      onOwnSchema: (event) => void events.push(event),
    },
    (host) => Promise.resolve(host),
  );
const one = (database: Database) => database.read("RETURN 1 AS one", {}, options);
const versionReads = () => statements.filter((text) => text.includes("schema_version")).length;

/** Repeats a call until its outcome, an error or none, is the expected one. */
const until = (call: () => Promise<unknown>, isExpected: (error: unknown) => boolean): Promise<unknown> =>
  eventually(
    () =>
      call().then(
        () => undefined,
        (error: unknown) => error,
      ),
    isExpected,
    { withinMs: 20_000, everyMs: 20 },
  );
const isServed = (error: unknown): boolean => error === undefined;
const isRefused = (error: unknown): boolean => error !== undefined;

beforeAll(async () => {
  other = connectGraph({ uri: second.url, username: second.username, password: second.password });
  // The first statements of a server that has just started take long.
  for (let tries = 0; tries < 10 && !(await other.ready()); tries++);
  await removeClaim();
}, 60_000);
afterAll(async () => {
  await removeClaim();
  await other.close();
});
beforeEach(() => {
  statements = [];
  events = [];
  graph = connect(shortly);
});
afterEach(async () => {
  await graph.close();
  await removeClaim();
});

describe("a project's own database", () => {
  it("that another release upgrades is refused, others are not; it is served when it is understood again", async () => {
    await setVersion(1, 0);
    const database = graph.of(own("a"));
    const neighbour = graph.of(own("b", first));
    expect(await one(database)).toEqual([{ one: 1 }]);
    expect(await one(neighbour)).toEqual([{ one: 1 }]);

    await setVersion(7, 6);
    await until(() => one(database), isRefused);
    let runs = 0;
    const calls: readonly (() => Promise<unknown>)[] = [
      () => one(database),
      () => database.writeOnce("CREATE (n:Forbidden) RETURN 1 AS one", {}, options),
      () => database.readRow("UNWIND $rows AS row RETURN row.i AS i", {}, options),
      () =>
        database.write((tx) => {
          runs += 1;
          return tx.run("CREATE (:Forbidden)", {});
        }, options),
      () => one(graph.of(own("a"), undefined, "decision")),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(refusedFor(tooNew));
    expect([runs, await inSecond("MATCH (n:Forbidden) RETURN n")]).toEqual([0, []]);
    expect(await one(neighbour)).toEqual([{ one: 1 }]);
    expect(await one(graph.of({ id: "c", pk: "abcdefgh" }))).toEqual([{ one: 1 }]);
    expect(await one(graph.ofAnyVersion(own("a")))).toEqual([{ one: 1 }]);

    await setVersion(1, 0);
    await until(() => one(database), isServed);
    expect(events).toEqual([
      { projectId: "a", constituent: undefined, reason: tooNew },
      { projectId: "a", constituent: undefined, reason: undefined },
    ]);
  }, 60_000);

  it("is asked for its version once, by none of the statements that follow", async () => {
    await setVersion(1, 0);
    const long = connect();
    const database = long.of(own("a"));
    await Promise.all(Array.from({ length: 20 }, () => one(database)));
    for (let i = 0; i < 20; i++) await one(long.of(own("a")));
    expect([versionReads(), statements.length]).toEqual([1, 41]);
    await long.close();
  });

  it("is refused from the first statement on, a constituent with its own connection by its own version", async () => {
    await setVersion(7, 6);
    const connections = new Map([
      ["db1", first],
      ["db2", second],
    ]);
    const spread = { ...own("a", first), composite: { database: "hospital", connections } };
    const refusal = refusedFor(tooNew);
    await expect(one(graph.of(spread, { constituent: "db2" }))).rejects.toMatchObject(refusal);
    expect(await one(graph.of(spread))).toEqual([{ one: 1 }]);
    expect(await one(graph.of(spread, { constituent: "db1" }))).toEqual([{ one: 1 }]);
    expect(events).toEqual([{ projectId: "a", constituent: "db2", reason: tooNew }]);
  });

  it("decides for the composite database of its server, whose constituents have no version of their own", async () => {
    await setVersion(7, 6);
    const composite = { database: "hospital", connections: new Map<string, Connection>() };
    const inComposite = (id: string, connection: Connection) =>
      one(graph.of({ ...own(id, connection), composite }, "composite"));
    await expect(inComposite("a", second)).rejects.toMatchObject(refusedFor(tooNew));
    expect(events).toEqual([{ projectId: "a", constituent: undefined, reason: tooNew }]);
    // Sent, and refused by the server, which has no such database.
    await expect(inComposite("b", first)).rejects.toMatchObject({
      code: "internal",
      cause: { code: "Neo.ClientError.Database.DatabaseNotFound" },
    });
  });

  it("with data that is too old, or of no version that can be read, is refused until it is migrated", async () => {
    await setVersion(-1, -1);
    const database = graph.of(own("a"));
    await expect(one(database)).rejects.toMatchObject(refusedFor(tooOld));
    await inSecond("MATCH (c:_Claim) SET c.schema_version = 'one'");
    await until(
      () => one(database),
      (error) => error instanceof Error && String(error.cause).includes("not a whole number"),
    );
    await setVersion(1, 0);
    await until(() => one(database), isServed);
  }, 60_000);

  it("that was not prepared yet, and one that was never versioned, are used", async () => {
    expect(await one(graph.of(own("a")))).toEqual([{ one: 1 }]);
    await inSecond("CREATE (:_Claim {key: 'database', owner: 'b'})");
    expect(await one(graph.of(own("b")))).toEqual([{ one: 1 }]);
  });

  it("whose version cannot be read in the time of a statement answers none", async () => {
    const closed = connectGraph(neo4jOfTests(), {}, () => Promise.reject(new Error("closed")));
    await expect(one(closed.of(own("a")))).rejects.toMatchObject({ code: "unavailable", errors: [] });
    const slow = connectGraph(neo4jOfTests(), {}, () =>
      wait(3_000).then(() => Promise.reject(new Error("closed"))),
    );
    const begun = performance.now();
    const call = slow.of(own("a")).read("RETURN 1 AS one", {}, { timeoutMs: 200 });
    const cause = { name: "DatabaseUnavailableError", message: "the schema version was not read in time" };
    await expect(call).rejects.toMatchObject({ code: "unavailable", errors: [], cause });
    expect(performance.now() - begun).toBeLessThan(2_500);
    const reason = new Error("the caller has left");
    const signal = AbortSignal.abort(reason);
    await expect(slow.of(own("a")).read("RETURN 1", {}, { ...options, signal })).rejects.toBe(reason);
    await closed.close();
    await slow.close();
  });
});
