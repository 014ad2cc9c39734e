import { describe, expect, it } from "@jest/globals";
import type { AuditRecord } from "@ikg/client";
import { timeRange } from "../decisions-search.ts";
import { rowMatcher } from "./matches.ts";
import { noNames } from "./names.ts";
import { rowsOf } from "./record-row.ts";

const place = { batch_id: "b", sequence: 7, hash: "h", kid: "k", alg: "ES256" } as const;
const ann = { type: "Person", id: "ann" };
const d1 = { type: "Document", id: "d1" };

const record = (id: string, type: string, data: unknown, more: object = {}): AuditRecord => ({
  id,
  type,
  time: "2026-01-01T12:00:00.000Z",
  outcome: "success",
  actor: { type: "app_agent", id: "gid:agent", credential_kid: "kid1" },
  data,
  ...more,
});

const evaluation = record("r1", "audit.authorization.evaluation", {
  subject: ann,
  action: "READ",
  resource: d1,
  decision: true,
  granted_by: { id: "gid:p1", version: 1 },
  tried: [
    { id: "gid:p1", version: 1 },
    { id: "gid:p2", version: 3 },
  ],
});
const batch = record("r2", "audit.authorization.evaluations", {
  count: 2,
  evaluations: [
    { subject: ann, action: "READ", resource: d1, decision: true },
    { subject: { type: "Person", id: "bob" }, action: "WRITE", resource: d1, decision: false },
  ],
});
const refused = record("r3", "audit.authorization.evaluation", { subject: ann }, { outcome: "failed" });
const saved = record("r4", "audit.config.update", { kind: "policy", name: "may-read" });

const rows = rowsOf({ ...place, data: [evaluation, batch, refused, saved] });

describe("rows of a batch", () => {
  it("are the newest record first, and each decision of a record", () => {
    expect(rows.map(({ key, result, kind }) => [key, result, kind])).toEqual([
      ["r4", "done", "configuration"],
      ["r3", "failed", "decisions"],
      ["r2 0", "allowed", "decisions"],
      ["r2 1", "denied", "decisions"],
      ["r1", "allowed", "decisions"],
    ]);
    expect(rows.at(-1)).toMatchObject({
      policies: ["gid:p1", "gid:p2"],
      grantedBy: "gid:p1",
      action: "READ",
    });
    expect(rows[3]?.entry).toEqual({ index: 1, of: 2 });
  });

  it("are made of records of any form", () => {
    const odd = rowsOf({
      ...place,
      data: [
        { id: "x", type: "audit.authorization.evaluation" },
        record("y", "audit.authorization.evaluations", { evaluations: [7, null, { subject: "__proto__" }] }),
        record("z", "__proto__", []),
      ],
    });
    expect(odd.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["other", undefined],
      ["decisions", undefined],
      ["decisions", undefined],
      ["decisions", undefined],
      ["decisions", undefined],
    ]);
  });
});

describe("a filter", () => {
  const now = Date.parse("2026-01-01T13:00:00Z");
  const names = {
    ...noNames,
    policies: new Map([["gid:p2", "may-write"]]),
    actors: new Map([["gid:agent", "shop"]]),
  };
  const keys = (search: Parameters<typeof rowMatcher>[0]): readonly string[] =>
    rows.filter(rowMatcher(search, timeRange(search, now), names)).map(({ key }) => key);

  it.each([
    [{}, ["r3", "r2 0", "r2 1", "r1"]],
    [{ kind: "all" }, ["r4", "r3", "r2 0", "r2 1", "r1"]],
    [{ kind: "configuration" }, ["r4"]],
    [{ decision: "denied" }, ["r2 1"]],
    [{ decision: "failed" }, ["r3"]],
    [{ subject: "person  BOB" }, ["r2 1"]],
    [{ subject: "Person/ann", action: "read", resource: "d1" }, ["r2 0", "r1"]],
    [{ policy: "write" }, ["r1"]],
    [{ policy: "gid:p1" }, ["r1"]],
    [{ policy: "gid:p" }, []],
    [{ actor: "shop" }, ["r3", "r2 0", "r2 1", "r1"]],
    [{ actor: "kid2" }, []],
    [{ to: "2026-01-01T12:00:00.000Z" }, []],
    [{ from: "2026-01-01T12:00:00.000Z" }, ["r3", "r2 0", "r2 1", "r1"]],
  ] as const)("%j takes %j", (search, expected) => {
    expect(keys(search)).toEqual(expected);
  });
});
