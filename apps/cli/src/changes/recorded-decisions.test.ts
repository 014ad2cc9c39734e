import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { AuditRecord, IkgAdmin } from "@ikg/client";
import { silentEnvironment } from "../../test/command-environment.ts";
import { recordedDecisions } from "./recorded-decisions.ts";

const since = Date.parse("2026-01-02T00:00:00.000Z");

const record = (id: string, time: string, type = "audit.authorization.evaluation") => ({ id, time, type });

/** The audit records of a suite, and the options of each request for them. */
const suiteWith = (...batches: readonly (readonly object[])[]) => {
  const requests: unknown[] = [];
  const batchesOf = async function* (options: unknown): AsyncGenerator<object> {
    requests.push(options);
    for (const data of batches) yield { data };
  };
  return { requests, admin: { audit: { batches: batchesOf } } as unknown as IkgAdmin }; // what is used of it
};

describe("recorded decisions since a time", () => {
  it("are asked for by it, so that older batches are not read", async () => {
    const { admin, requests } = suiteWith(
      [record("old", "2026-01-01T23:59:59.999Z"), record("first", "2026-01-02T00:00:00.000Z")],
      [
        record("login", "2026-01-02T00:00:01.000Z", "audit.auth.login"),
        record("next", "2026-01-03T00:00:00Z"),
      ],
    );
    const found: AuditRecord[] = [];
    const chosen = { since, folder: undefined };
    for await (const each of recordedDecisions(admin, chosen, silentEnvironment())) found.push(each);
    expect(found.map(({ id }) => id)).toEqual(["first", "next"]);
    // Five minutes before: clocks differ.
    expect(requests).toEqual([{ since: new Date("2026-01-01T23:55:00.000Z") }]);
  });

  it("are read from an export, with every character that a text may have", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ikg-export-"));
    try {
      const ids = ["line\u2028separator", "paragraph\u2029separator", "return\r"];
      const batches = ids.map((id) => JSON.stringify({ data: [record(id, "2026-01-02T00:00:00.000Z")] }));
      await writeFile(join(folder, "batches.ndjson"), batches.map((each) => `${each}\n`).join(""));
      const found: string[] = [];
      const { admin } = suiteWith();
      for await (const { id } of recordedDecisions(admin, { since, folder }, silentEnvironment()))
        found.push(id);
      expect(found).toEqual(ids);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
