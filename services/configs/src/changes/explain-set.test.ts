import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { attempt } from "../records/attempt.ts";
import { openPlanning } from "../records/explain-limits.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { explainSet } from "./explain-set.ts";

it("holds its planning slot until the database is done with every statement, also with one before the last", async () => {
  const { promise: planned, resolve: end } = Promise.withResolvers<[]>();
  const tx: Transaction = { run: async (text) => (text.includes("slow") ? planned : []) };
  const database = { write: (work: (tx: Transaction) => Promise<unknown>) => work(tx) };
  const planning = openPlanning({ perOrganization: 1, total: 1, statementMs: 10 });
  const store = { planning, databaseOf: () => database, graph: { shared: database } } as unknown as Store; // all that is used
  const [organizationId, { signal }] = [newGid("organization"), new AbortController()];
  const caller = { organizationId, requestId: "r", signal } as unknown as CallerContext; // what is read of it
  const validated = ["slow", "quick"].map((text) => ({
    transition: { before: undefined, after: undefined },
    trials: [{ text, fault: `${text} is not planned` }],
  }));
  const refused = attempt(store, { trials: () => [] }, caller, (each, plans) =>
    explainSet(each, store, validated, plans, caller),
  );
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
