import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import type { Database, Graph, Row, Transaction } from "@ikg/graph";
import { keyRing, seal } from "@ikg/secrets";
import { connectionPlace } from "../records/connection.ts";
import type { GraphRemoval } from "../records/removal-note.ts";
import { type GraphRemovals, openGraphRemovals } from "./removals.ts";

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
  write: (work) => work({ run }),
  writeOnce: unused,
  readRow: unused,
});

type Run = () => Promise<Row[]>;
const nothing: Run = () => Promise.resolve([{ removed: 0 }]);
const refuses: Run = () =>
  Promise.reject(new Problem("unavailable", { errors: ["database: the data is of schema version 7"] }));

let notes: readonly GraphRemoval[];
/** What databases answer, by `<project>` or `<project>/<constituent>`; nothing is left in the others. */
let answers: Map<string, Run>;
/** Databases that were swept. */
let swept: Set<string>;
/** Projects whose notes were removed. */
let done: unknown[];
/** `<project>: <line of the log>` */
let warnings: string[];
let removals: GraphRemovals;

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
    () => Promise.resolve(notes.map((note) => ({ note }))),
  );
  const of: Graph["of"] = ({ id }, part) => {
    const name = typeof part === "object" ? `${id}/${part.constituent}` : id;
    return databaseOf(() => {
      swept.add(name);
      return (answers.get(name) ?? nothing)();
    });
  };
  removals = openGraphRemovals({
    graph: { shared, of, release: () => undefined } as unknown as Graph, // no other member is used
    keys,
    log: {
      info: () => undefined,
      warn: (line, { project } = {}) => void warnings.push(`${String(project)}: ${line}`),
    },
    graceMs: 10,
  });
});

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; Date.now() < end; await wait(5)) if (holds()) return;
  throw new Error("it did not come true within 5 s");
};

const stopped = "removing the graph data of a deleted project stopped";

describe("unfinished removals", () => {
  it("do not wait for one whose database does not answer, nor for one whose data is not understood", async () => {
    const [silent, refused, last] = [newGid("project"), newGid("project"), newGid("project")];
    const answer = Promise.withResolvers<Row[]>();
    answers.set(silent, () => answer.promise).set(refused, refuses);
    notes = [own(silent), own(refused), inShared(last)];
    await removals.resume();
    await until(() => done.length > 0 && warnings.length > 0);
    expect(done).toEqual([last]);
    expect(warnings).toEqual([`${refused}: ${stopped}; it is tried again`]);
    // The note of the refused one stayed: it is done when the data is understood.
    notes = [own(silent), own(refused)];
    answers.delete(refused);
    await removals.resume();
    await until(() => done.length > 1);
    expect(done).toEqual([last, refused]);
    answer.resolve([]);
    await removals.close();
  });

  it("of a graph in several databases leave no data in one because another one refuses", async () => {
    const id = newGid("project");
    answers.set(id, refuses);
    notes = [own(id, { constituents: { east: connection } })];
    await removals.resume();
    await until(() => warnings.length > 0);
    expect([...swept]).toEqual([id, `${id}/east`]);
    expect(done).toEqual([]);
    await removals.close();
  });
});

describe("the removal of a project that was FAILED", () => {
  it("is said not to be tried again", async () => {
    const id = newGid("project");
    answers.set(id, refuses);
    const begun = removals.begin({ removal: own(id), isNoted: false });
    await expect(begun).rejects.toMatchObject({ code: "unavailable" });
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([`${id}: ${stopped}; it is not tried again, since the project was FAILED`]);
    await removals.close();
  });
});
