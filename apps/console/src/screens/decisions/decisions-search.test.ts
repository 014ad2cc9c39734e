import { describe, expect, it } from "@jest/globals";
import { decisionsSearch, recordSearch, timeRange } from "./decisions-search.ts";

describe("the address of a list of records", () => {
  it("keeps what it knows, and leaves out defaults and what is empty", () => {
    expect(
      decisionsSearch({
        period: "7d",
        kind: "all",
        decision: "denied",
        subject: "Person ann",
        resource: "",
        policy: 7,
        token: "secret",
      }),
    ).toEqual({ period: "7d", kind: "all", decision: "denied", subject: "Person ann", policy: "7" });
    expect(decisionsSearch({ period: "24h", kind: "decisions", decision: "maybe" })).toEqual({});
    expect(decisionsSearch({ period: "__proto__", kind: "constructor" })).toEqual({});
  });

  it("is about a time between two, or about one until now", () => {
    expect(decisionsSearch({ period: "7d", from: "2026-01-02T00:00:00+01:00", to: "soon" })).toEqual({
      from: "2026-01-01T23:00:00.000Z",
    });
    const now = Date.parse("2026-01-02T00:00:00Z");
    expect(timeRange({}, now)).toEqual({ from: now - 86_400_000, to: Infinity });
    expect(timeRange({ period: "all" }, now)).toEqual({ from: 0, to: Infinity });
    expect(timeRange({ to: "2026-01-01T00:00:00Z" }, now)).toEqual({ from: 0, to: now - 86_400_000 });
  });

  it("of one record has the list that it was opened from", () => {
    expect(recordSearch({ id: "r1", decision: "denied" })).toEqual({ id: "r1", decision: "denied" });
  });
});
