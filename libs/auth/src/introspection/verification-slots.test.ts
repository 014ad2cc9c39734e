import { describe, expect, it } from "@jest/globals";
import { openVerificationSlots } from "./verification-slots.ts";

/** Work that ends on request. */
const held = () => {
  const ends: (() => void)[] = [];
  const work = (): Promise<string> => new Promise((resolve) => ends.push(() => resolve("verified")));
  return { work, started: () => ends.length, end: () => ends.splice(0).forEach((each) => each()) };
};
const turn = () => new Promise(setImmediate);

describe("slots for tokens of a project", () => {
  it("are a few, and those of another project are free", async () => {
    const inSlot = openVerificationSlots({ atOnce: 2, maxWaiting: 10, waitMs: 5_000 });
    const storm = held();
    const verified = Array.from({ length: 6 }, () => inSlot("heavy", storm.work));
    await turn();
    expect(storm.started()).toBe(2);
    const light = held();
    const other = inSlot("light", light.work);
    await turn();
    expect(light.started()).toBe(1);
    light.end();
    expect(await other).toBe("verified");
    for (let round = 0; round < 3; round++) {
      expect(storm.started()).toBe(2);
      storm.end();
      await turn();
    }
    expect(await Promise.all(verified)).toEqual(Array.from({ length: 6 }, () => "verified"));
  });

  it("are waited for by a few, and for a time", async () => {
    const inSlot = openVerificationSlots({ atOnce: 1, maxWaiting: 1, waitMs: 30 });
    const storm = held();
    const first = inSlot("heavy", storm.work);
    const second = inSlot("heavy", storm.work);
    const refusal = {
      code: "too_many_requests",
      headers: { "Retry-After": "1" },
      errors: ["token verifications: at most 1 of a project may wait, for at most 30 ms; retry later"],
    };
    await expect(inSlot("heavy", storm.work)).rejects.toMatchObject(refusal);
    await expect(second).rejects.toMatchObject(refusal);
    storm.end();
    expect(await first).toBe("verified");
    const next = inSlot("heavy", storm.work);
    await turn();
    storm.end();
    expect(await next).toBe("verified");
  });

  it("are given back by work that fails", async () => {
    const inSlot = openVerificationSlots({ atOnce: 1, maxWaiting: 0, waitMs: 30 });
    for (let tried = 0; tried < 3; tried++)
      await expect(inSlot("p", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
