import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { AuditNote, Route } from "@ikg/service";
import { applications } from "../collections/applications.ts";
import type { Store } from "../records/store.ts";
import { list } from "./list.ts";

/** The audit records of a list of applications, and its answer; undefined: it failed. @param rows of the database. */
const listed = async (project: string, rows: readonly object[]) => {
  const notes: AuditNote[] = [];
  const store = {
    recordReads: true,
    collections: new Map([["application", applications]]),
    databaseOf: () => ({ read: async () => rows }),
    lists: { read: async (_: string, read: () => unknown) => ({ result: await read(), memory: undefined }) },
  } as unknown as Store; // all that is used
  const input = {
    caller: { kind: "user", org: newGid("organization"), issuer: "i", sub: "s", grants: {} },
    reach: "organization",
    query: { project_id: project },
    note: (createNote: () => AuditNote) => void notes.push(createNote()),
  } as unknown as Parameters<Route["run"]>[0]; // all that the route reads
  const answer = await list(applications, store)
    .run(input)
    .catch(() => undefined);
  return { chains: notes.map(({ chain }) => chain), body: answer?.body };
};

it("leaves no record in the chain of a project that the caller's organization does not have", async () => {
  const project = newGid("project");
  expect(await listed(project, [])).toEqual({ chains: [], body: undefined });
  // The row of a project without applications.
  expect(await listed(project, [{ record: null }])).toEqual({ chains: [project], body: { data: [] } });
});
