import { describe, expect, it } from "@jest/globals";
import { openImportPace } from "./import-pace.ts";

describe("the pace of an import", () => {
  const { signal } = new AbortController();

  it("is kept by pauses after rows that were written", async () => {
    let now = 0;
    const pace = openImportPace(1_000, () => now);
    expect(await pace.canContinue(signal)).toBe(true);
    pace.add(4_000);
    now = 500;
    expect(pace.pauseMs()).toBe(3_500);
    expect(await pace.canContinue(signal)).toBe(false);
    now = 4_000;
    expect(await pace.canContinue(signal)).toBe(true);
  });

  it("waits for short pauses, until the process ends", async () => {
    const pace = openImportPace(1_000);
    pace.add(100);
    const since = performance.now();
    expect(await pace.canContinue(signal)).toBe(true);
    expect(performance.now() - since).toBeGreaterThan(50);
    pace.add(200);
    expect(await pace.canContinue(AbortSignal.abort())).toBe(true);
  });
});
