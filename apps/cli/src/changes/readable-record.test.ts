import { describe, expect, it } from "@jest/globals";
import { readableRecord } from "./readable-record.ts";

describe("a record as ikg diff shows it", () => {
  it("is as ikg pull writes it: Cypher as a block, without what every write changes", async () => {
    const policy = { subject: { type: "Pilot" }, condition: { cypher: "MATCH (subject)\nWHERE 1 < 2" } };
    const record = { id: "gid:1", name: "may-fly", version: 2, policy: JSON.stringify(policy) };
    expect(await readableRecord(record)).toBe(
      [
        "name: may-fly",
        "policy:",
        "  subject:",
        "    type: Pilot",
        "  condition:",
        "    cypher: |-",
        "      MATCH (subject)",
        "      WHERE 1 < 2",
        "",
      ].join("\n"),
    );
  });

  it("keeps a text that its tree would change", async () =>
    expect(await readableRecord({ query: '{"limit": 1.0}' })).toBe("query: '{\"limit\": 1.0}'\n"));

  it("is empty where there is none", async () => expect(await readableRecord(undefined)).toBe(""));
});
