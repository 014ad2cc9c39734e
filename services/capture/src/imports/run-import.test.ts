import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { projectKey } from "@ikg/physical";
import { graphIdOf } from "../projects/graph-id.ts";
import { runImport, type RunImportParts } from "./run-import.ts";

it("an import fails when its project was moved to another database after its rows were staged", async () => {
  const [id, projectId, pk] = [newGid("import"), newGid("project"), projectKey("")];
  const connection = { url: "bolt://one.example", username: "neo4j", password: "secret" };
  const ends: unknown[] = [];
  const parts = {
    records: {
      read: async () => ({ id, projectId, pk, graph: graphIdOf({ pk, connection }) }),
      start: () => Promise.reject(new Error("it was started")),
      end: async (_id: string, how: unknown) => void ends.push(how),
    },
    projects: {
      project: async () => ({
        ikgStatus: "ACTIVE",
        pk,
        connection: { ...connection, url: "bolt://two.example" },
      }),
    },
    now: () => new Date(0),
  } as unknown as RunImportParts; // as much of it as is used
  expect(await runImport(parts, id, new AbortController().signal)).toEqual({ pauseMs: 0 });
  expect(ends).toMatchObject([{ status: "failed", reason: "the project has another database now" }]);
});
