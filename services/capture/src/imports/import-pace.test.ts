import { describe, expect, it } from "@jest/globals";
import { openImportPace } from "./import-pace.ts";

describe("the pace of an import", () => {
  const { signal } = new AbortController();

  it("is kept by rests after what was written", async () => {
    let now = 0;
    const pace = openImportPace(1_000, () => now);
    expect(await pace.mayGoOn(signal)).toBe(true);
    pace.wrote(4_000);
    now = 500;
    expect(pace.restMs()).toBe(3_500);
    expect(await pace.mayGoOn(signal)).toBe(false);
    now = 4_000;
    expect(await pace.mayGoOn(signal)).toBe(true);
  });

  it("sleeps through short rests, until the process ends", async () => {
    const pace = openImportPace(1_000);
    pace.wrote(100);
    const since = performance.now();
    expect(await pace.mayGoOn(signal)).toBe(true);
    expect(performance.now() - since).toBeGreaterThan(50);
    pace.wrote(200);
    expect(await pace.mayGoOn(AbortSignal.abort())).toBe(true);
  });
});
