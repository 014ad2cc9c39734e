import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { attempt } from "../records/attempt.ts";
import { openPlanning } from "../records/explain-limits.ts";
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
  const explain = (...texts: readonly string[]): Promise<void> => {
    const validated = texts.map((text) => ({
      transition: { before: undefined, after: undefined },
      trials: [{ text, fault: `${text} is not planned` }],
    }));
    return attempt(store, { trials: () => [] }, caller, (each, plans) =>
      explainSet(each, store, validated, plans, caller),
    );
  };
  return { planning, signal, explain };
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
