import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { type Gid, newGid } from "@ikg/contracts";
import { DataFault, type Transaction } from "@ikg/graph";
import { attempt } from "../records/attempt.ts";
import { openPlanning } from "../records/planning-limits.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { explainSet } from "./explain-set.ts";

const organizationId = newGid("organization");

/** The planning of a set of statements, each by a transaction of the database. */
const openSet = (run: (text: string) => Promise<[]>, statementMs: number) => {
  const tx: Transaction = { run };
  const database = { write: (work: (tx: Transaction) => Promise<unknown>) => work(tx) };
  const planning = openPlanning({ perOrganization: 1, total: 1, statementMs });
  const store = { planning, databaseOf: () => database, graph: { shared: database } } as unknown as Store; // all that is used
  const { signal } = new AbortController();
  const caller = { organizationId, requestId: "r", signal } as unknown as CallerContext; // what is read of it
  const explainFor = (organization: Gid, ...texts: readonly string[]): Promise<void> => {
    const of = { ...caller, organizationId: organization };
    const validated = texts.map((text) => ({
      transition: { before: undefined, after: undefined },
      trials: [{ text, fault: `${text} is not planned` }],
    }));
    return attempt(store, { trials: () => [] }, of, (each, plans) =>
      explainSet(each, store, validated, plans, of),
    );
  };
  const explain = (...texts: readonly string[]): Promise<void> => explainFor(organizationId, ...texts);
  return { planning, signal, explain, explainFor };
};

it("allows each statement its own time: many take longer together", async () => {
  let last = Promise.resolve();
  const run = async (): Promise<[]> => {
    last = last.then(() => wait(60));
    await last;
    return [];
  };
  const texts = Array.from({ length: 8 }, (_, index) => `statement ${index}`);
  await expect(openSet(run, 200).explain(...texts)).resolves.toBeUndefined();
});

it("holds its planning slot until the database is done with every statement, also with one before the last", async () => {
  const { promise: planned, resolve: end } = Promise.withResolvers<[]>();
  const { planning, signal, explain } = openSet(async (text) => (text.includes("slow") ? planned : []), 10);
  const refused = explain("slow", "quick");
  await expect(refused).rejects.toMatchObject({
    errors: [expect.stringMatching(/^changes\[0\]\.slow is not planned within 10 ms/)],
  });

  let hasTurn = false;
  const next = planning.enter(organizationId, signal).then((slot) => {
    hasTurn = true;
    slot.release();
  });
  await turn();
  expect(hasTurn).toBe(false);
  end([]);
  await next;
});

it("has a statement planned once for an organization, and again where it was refused or took too long", async () => {
  const sent: string[] = [];
  let isSlow = true;
  const run = async (text: string): Promise<[]> => {
    sent.push(text.replace("EXPLAIN ", ""));
    if (text.includes("refused")) throw new DataFault("refused");
    if (text.includes("slow") && isSlow) await wait(40);
    return [];
  };
  const { explain, explainFor } = openSet(run, 20);
  await explain("a", "b");
  await explain("b", "c");
  expect(sent.splice(0)).toEqual(["a", "b", "c"]);
  await explainFor(newGid("organization"), "a");
  expect(sent.splice(0)).toEqual(["a"]);
  for (const text of ["refused", "refused", "slow", "slow"]) await expect(explain(text)).rejects.toThrow();
  expect([...new Set(sent.splice(0))]).toEqual(["refused", "slow"]);
  isSlow = false;
  await explain("slow");
  expect(sent.splice(0)).toEqual(["slow"]);
});
