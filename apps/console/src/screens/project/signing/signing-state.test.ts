import { describe, expect, it } from "@jest/globals";
import type { AuditRecord, AuditSigningRecord } from "@ikg/client";
import { signingEvents, signingInForce } from "./signing-state.ts";

describe("the signing of a chain", () => {
  it("is that which was changed last", () => {
    const of = (name: string, day: string) =>
      ({ name, update_time: `${day}T00:00:00Z` }) as AuditSigningRecord;
    expect(signingInForce([of("a", "2026-01-02"), of("b", "2026-01-03"), of("c", "2026-01-01")])?.name).toBe(
      "b",
    );
    expect(signingInForce([])).toBeUndefined();
  });

  it("says what failed and why, the newest first", () => {
    const of = (id: string, type: string, data: object) =>
      ({ id, time: "t", type, data }) as unknown as AuditRecord;
    const events = signingEvents([
      of("1", "audit.signing.failed", { reason: "not_found" }),
      of("2", "audit.config.update", {}),
      of("3", "audit.signing.failed", { reason: "constructor" }),
      of("4", "audit.signing.recovered", {}),
    ]);
    expect(events.map(({ text, isFailure }) => [text, isFailure])).toEqual([
      ["Signing works again", false],
      ["Signing failed: constructor", true],
      ["Signing failed: the provider has no such key", true],
    ]);
  });
});
