import { describe, expect, it } from "@jest/globals";
import { newGid, Problem } from "@ikg/contracts";
import type { Database, Params, Row } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { bindValues, compileCiq, rowValues } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { writeStatements } from "@ikg/policy-core/statements";
import { Neo4jError } from "neo4j-driver";
import { elementIdsOf } from "@ikg/query-rows";
import { executeWrite } from "./write.ts";

const policy = compileCiq(
  JSON.stringify({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "Nurse" },
    condition: { cypher: "MATCH (subject:Nurse)" },
    allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
  }),
);
if (!policy.ok) throw new Error(policy.faults.join("; "));
const query = compileQuery(
  JSON.stringify({ upsert_nodes: [{ name: "subject", properties: [{ type: "mood", value: "$mood" }] }] }),
  policy.value,
);
if (!query.ok) throw new Error(query.faults.join("; "));
const pk = projectKey("p1p1p1p1");
const statements = writeStatements(query.value, pk);
if (statements === undefined) throw new Error("the query writes nothing");

const values = bindValues(query.value.needs, { inputParams: { mood: "good" } });
const request = {
  values,
  row: { s: `${pk}/Nurse/n1`, ...rowValues(values) },
  page: { skip: 0, bytes: 1_000_000 },
  take: 100,
  options: { timeoutMs: 1_000 },
  project: { pk, ids: elementIdsOf(Buffer.alloc(32))(newGid("project")) },
  mayBeOnce: true,
};

const refused = (): Promise<Row[]> => Promise.resolve([{ refused: true }]);

/** A database in which the match finds one nurse and the upsert writes as many as the test chooses. */
const database = (written: () => number, atOnce: () => Promise<Row[]> = refused) => {
  const texts: string[][] = [];
  const write: Database["write"] = async (work) => {
    const sent: string[] = [];
    texts.push(sent);
    return work({
      run: (text: string, _params: Params): Promise<Row[]> => {
        sent.push(text.split("\n")[0] ?? "");
        if (text === statements.match.text) return Promise.resolve([{ k0: `${pk}/Nurse/n1` }]);
        return Promise.resolve(text === statements.nodes[0] ? [{ written: written() }] : []);
      },
    });
  };
  const other = (): never => {
    throw new Error("only writes are expected");
  };
  const writeOnce: Database["writeOnce"] = () => atOnce();
  return { texts, database: { write, writeOnce, read: other, readRow: other } satisfies Database };
};

describe("an execution whose node another writer deletes meanwhile", () => {
  it("starts over, with its locks first", async () => {
    let tries = 0;
    const { texts, database: db } = database(() => (++tries === 1 ? 0 : 1));
    expect(await executeWrite(db, statements, request)).toMatchObject({ count: 1, pieces: ['{"nodes":{}}'] });
    expect(texts).toHaveLength(2);
    expect(texts[0]).toHaveLength(2);
    expect(texts[1]?.at(1)).toBe("UNWIND $keys AS k");
    expect(texts[1]).toHaveLength(3);
  });

  it("begins so when all in one statement met a deadlock", async () => {
    const deadlock = new Neo4jError("", "Neo.TransientError.Transaction.DeadlockDetected", "", "");
    const { texts, database: db } = database(
      () => 1,
      () => Promise.reject(new Problem("unavailable", { cause: deadlock })),
    );
    expect((await executeWrite(db, statements, request)).count).toBe(1);
    expect(texts.map((sent) => sent.at(1))).toEqual(["UNWIND $keys AS k"]);
  });

  it("is unavailable when that happens three times", async () => {
    const { texts, database: db } = database(() => 0);
    await expect(executeWrite(db, statements, request)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": "1" },
    });
    expect(texts).toHaveLength(3);
  });
});

describe("an execution that the database ends", () => {
  it.each(["commit_unknown", "unavailable"] as const)(
    "passes on %s, and does not try again",
    async (code) => {
      let calls = 0;
      const failing = () => {
        calls++;
        return Promise.reject(new Problem(code));
      };
      const ended = { ...database(() => 1).database, write: failing };
      await expect(executeWrite(ended, statements, request)).rejects.toMatchObject({ code });
      const { texts, database: atOnce } = database(() => 1, failing);
      await expect(executeWrite(atOnce, statements, request)).rejects.toMatchObject({ code });
      expect(calls).toBe(2);
      expect(texts).toEqual([]);
    },
  );
});
