import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { type Database, type Graph, StatementTimeout } from "@ikg/graph";
import { lookUpProperties } from "@ikg/physical";
import { openPlanning } from "../records/planning-limits.ts";
import type { StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { type PreviewSource, previewStatements } from "./preview.ts";

it("holds its planning slot until the database has ended a statement that was planned for too long", async () => {
  const { promise: closing, resolve: end } = Promise.withResolvers<undefined>();
  const read: Database["read"] = (_text, _params, { onClosing }) => {
    onClosing?.(closing);
    return Promise.reject(new StatementTimeout(1));
  };
  const graph = { of: () => ({ read }) } as unknown as Graph; // all that is used
  const planning = openPlanning({ perOrganization: 1, total: 1, statementMs: 1 });
  const store = { planning } as unknown as Store; // all that is used
  const id = newGid("project");
  const [organizationId, { signal }] = [newGid("organization"), new AbortController()];
  const project = { id, organizationId, columns: { [lookUpProperties.projectKey]: "abcdefgh" } };
  const source = {
    statements: () => [{ purpose: "decision", text: "RETURN 1" }],
    needs: { references: new Map() },
    subjectType: "Person",
    resourceType: undefined,
  };
  const caller = { organizationId, requestId: "r", signal };
  const statements = await previewStatements(
    graph,
    store,
    project as unknown as StoredRecord, // what is read of it
    source as unknown as PreviewSource, // one statement, without values
    { preview: true, sample: undefined },
    caller as unknown as CallerContext, // what is read of it
  );
  expect(statements).toMatchObject([{ reason: "takes longer than 1 ms" }]);

  let hasTurn = false;
  const next = planning.enter(organizationId, signal).then((slot) => {
    hasTurn = true;
    slot.release();
  });
  await turn();
  expect(hasTurn).toBe(false);
  end(undefined);
  await next;
});
