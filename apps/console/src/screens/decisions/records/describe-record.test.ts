import { describe, expect, it } from "@jest/globals";
import { describeRecord } from "./describe-record.ts";
import { instantOfLocal, localText } from "./local-time.ts";
import { noNames, shortGid } from "./names.ts";

const names = { ...noNames, queries: new Map([["gid:q1", "my-documents"]]) };

describe("a record that is no decision", () => {
  it.each([
    [
      "audit.config.update",
      { kind: "authorization_policy", name: "may-read" },
      "Changed",
      "authorization policy may-read",
    ],
    ["audit.ciq.execute", { query: { id: "gid:q1" }, rows: 1 }, "Query executed", "my-documents 1 row"],
    ["audit.ciq.execute", { query: { id: "gid:AAAAAAAAq2" } }, "Query executed", "gid:…AAAAq2"],
    ["audit.capture.upsert.node", { count: 1_200 }, "Nodes written", "1,200 items"],
    ["audit.credentials.rejected", { reason: "expired", kid: "k1" }, "Credential refused", "expired k1"],
    ["audit.graph.read", { read: "node", type: "Car", external_id: "c1" }, "Graph read", "node Car c1"],
    ["audit.of.tomorrow", { anything: 1 }, "audit.of.tomorrow", ""],
    ["__proto__", undefined, "__proto__", ""],
    ["constructor", ["no object"], "constructor", ""],
  ])("%s %j is %s", (type, data, title, detail) => {
    expect(describeRecord({ id: "r", type, data }, names)).toEqual({ title, detail });
  });

  it("names what has no name by the end of its gid", () => {
    expect([shortGid("gid:AAAAAQGi123456"), shortGid("ann")]).toEqual(["gid:…123456", "ann"]);
  });
});

describe("a time in a field", () => {
  it("comes back as the same minute", () => {
    expect(instantOfLocal(localText("2026-03-01T12:34:56.000Z"))).toBe("2026-03-01T12:34:00.000Z");
    expect([localText(undefined), localText("x"), instantOfLocal("")]).toEqual(["", "", undefined]);
  });

  it.each(["0002-03-01T12:34", "0202-03-01T12:34"])("keeps the year %s while it is typed", (typed) => {
    expect(localText(instantOfLocal(typed))).toBe(typed);
  });
});
