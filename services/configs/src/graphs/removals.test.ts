import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { untilAborted } from "@ikg/concurrency";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import type { Database, Graph, Row, Transaction } from "@ikg/graph";
import { keyRing, seal } from "@ikg/secrets";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { connectionPlace } from "../records/connection.ts";
import type { GraphRemoval } from "../records/removal-note.ts";
import { type GraphRemovalParts, type GraphRemovals, openGraphRemovals } from "./removals.ts";

const keys = keyRing(Buffer.alloc(32, 1));
const connection = { url: "bolt://127.0.0.1:1", username: "neo4j", password: "secret" };
const own = (id: Gid, more: object = {}): GraphRemoval => ({
  project_id: id,
  connection: seal(keys, connectionPlace(id), JSON.stringify({ ...connection, ...more })),
});
const inShared = (id: Gid): GraphRemoval => ({ project_id: id, pk: "abcdefgh" });

const unused = () => Promise.reject(new Error("not used"));
const databaseOf = (run: Transaction["run"], read: Database["read"] = unused): Database => ({
  read,
  write: async (work, { signal }) => {
    signal?.throwIfAborted();
    return untilAborted(work({ run }), signal, () => signal?.reason);
  },
  writeOnce: unused,
  readRow: unused,
});

type Run = () => Promise<Row[]>;
const nothing: Run = () => Promise.resolve([{ removed: 0 }]);
const silent: Run = () => Promise.withResolvers<Row[]>().promise;
const refuses: Run = () =>
  Promise.reject(new Problem("unavailable", { errors: ["database: the data has schema version 7"] }));

let notes: readonly GraphRemoval[];
/** What databases answer, by `<project>` or `<project>/<constituent>`; nothing is left in the others. */
let answers: Map<string, Run>;
/** Databases that were swept. */
let swept: Set<string>;
/** Projects whose notes were removed. */
let done: unknown[];
/** `<project>: <line of the log>` */
let warnings: string[];
let graph: Graph;
let removals: GraphRemovals;

const open = (times: Pick<GraphRemovalParts, "graceMs" | "slotMs">): GraphRemovals =>
  openGraphRemovals({
    graph,
    keys,
    log: {
      info: () => undefined,
      warn: (line, { project } = {}) => void warnings.push(`${String(project)}: ${line}`),
    },
    ...times,
  });

beforeEach(() => {
  notes = [];
  answers = new Map();
  swept = new Set();
  done = [];
  warnings = [];
  const shared = databaseOf(
    (text, { id }) => {
      if (text.startsWith("MATCH (note:")) done.push(id);
      return nothing();
    },
    (text, { running }) => {
      const known = running as readonly string[]; // ids of projects
      const limit = Number(/LIMIT (\d+)$/.exec(text)?.[1]);
      const found = notes.filter((note) => !known.includes(note.project_id)).slice(0, limit);
      return Promise.resolve(found.map((note) => ({ note })));
    },
  );
  const of: Graph["of"] = ({ id }, part) => {
    const name = typeof part === "object" ? `${id}/${part.constituent}` : id;
    let isUsed = false;
    return databaseOf(() => {
      // One that is kept after its statement may be closed.
      if (isUsed) return Promise.reject(new Error("the database is closed"));
      isUsed = true;
      swept.add(name);
      return (answers.get(name) ?? nothing)();
    });
  };
  graph = { shared, of, release: () => undefined } as unknown as Graph; // no other member is used
  removals = open({ graceMs: 10 });
});
afterEach(() => removals.close());

const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 5_000, everyMs: 5 });

const stopped = "removing the graph data of a deleted project stopped";

describe("unfinished removals", () => {
  it("do not wait for one whose database does not answer, nor for one whose data is not understood", async () => {
    const [unanswered, refused, last] = [newGid("project"), newGid("project"), newGid("project")];
    answers.set(unanswered, silent).set(refused, refuses);
    notes = [own(unanswered), own(refused), inShared(last)];
    await removals.resume();
    await until(() => done.length > 0 && warnings.length > 0);
    expect(done).toEqual([last]);
    expect(warnings).toEqual([`${refused}: ${stopped}; retrying`]);
    // The note of the refused one stayed: it is done when the data is understood.
    notes = [own(unanswered), own(refused)];
    answers.delete(refused);
    await removals.resume();
    await until(() => done.length > 1);
    expect(done).toEqual([last, refused]);
    // The other one is ended without a line: its note stays.
    await removals.close();
    expect(warnings).toHaveLength(1);
    expect(done).toHaveLength(2);
  });

  it("of a graph in several databases leave no data in one because another one refuses", async () => {
    const id = newGid("project");
    answers.set(id, refuses);
    notes = [own(id, { constituents: { east: connection } })];
    await removals.resume();
    await until(() => warnings.length > 0);
    expect([...swept]).toEqual([id, `${id}/east`]);
    expect(done).toEqual([]);
  });

  it("of a graph in many databases sweep ten at once, and go on while some do not answer", async () => {
    const id = newGid("project");
    const constituents = Array.from({ length: 15 }, (_, i) => `c${i}`);
    for (const each of constituents.slice(1)) answers.set(`${id}/${each}`, silent);
    notes = [own(id, { constituents: Object.fromEntries(constituents.map((each) => [each, connection])) })];
    await removals.resume();
    // The default database and c0 are done, ten others are under way.
    await until(() => swept.size >= 12);
    await wait(20);
    expect(swept.size).toBe(12);
  });

  it("are begun twenty at a time; one that takes long gives up its slot", async () => {
    removals = open({ slotMs: 400 });
    notes = Array.from({ length: 25 }, () => inShared(newGid("project")));
    for (const { project_id: id } of notes) answers.set(id, silent);
    await removals.resume();
    await removals.resume();
    await wait(20);
    expect(swept.size).toBe(20);
    await wait(400);
    await removals.resume();
    await until(() => swept.size === 25);
  });

  it("hold no slot between both passes", async () => {
    removals = open({ graceMs: 60_000 });
    notes = Array.from({ length: 25 }, () => inShared(newGid("project")));
    await until(async () => {
      await removals.resume();
      return swept.size === 25;
    });
  });

  it("run once in a process, although the deletion begins one as well", async () => {
    const id = newGid("project");
    let sweeps = 0;
    answers.set(id, () => {
      sweeps += 1;
      return silent();
    });
    notes = [own(id)];
    await removals.resume();
    removals.begin({ removal: own(id), isNoted: true }).catch(() => undefined);
    await until(() => sweeps > 0);
    await wait(20);
    expect(sweeps).toBe(1);
  });
});

describe("the removal of a project that was FAILED", () => {
  const failed = (id: Gid) => `${id}: ${stopped}; no retry, since the project was FAILED`;

  it("is logged as not retried", async () => {
    const id = newGid("project");
    answers.set(id, refuses);
    const begun = removals.begin({ removal: own(id), isNoted: false });
    await expect(begun).rejects.toMatchObject({ code: "unavailable" });
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([failed(id)]);
  });

  it("is logged as not retried where the process ends meanwhile", async () => {
    const id = newGid("project");
    answers.set(id, silent);
    removals.begin({ removal: own(id), isNoted: false }).catch(() => undefined);
    await until(() => swept.has(id));
    await removals.close();
    expect(warnings).toEqual([failed(id)]);
  });
});
