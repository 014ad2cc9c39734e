import { describe, expect, it } from "@jest/globals";
import { describeOutage, isConsistent, type Outage } from "./outage.ts";

const outage: Outage = {
  sent: 100,
  refused: new Map([
    ["evaluation 503 unavailable", 9],
    ["nodes ECONNREFUSED", 2],
  ]),
  ms: 12_340,
  recoveryMs: 9_870,
  misreported: 0,
  wrong: 0,
  acknowledged: 7,
  lost: [],
};

describe("an outage", () => {
  it("is honest while callers learn that there is one, and nothing is wrong or lost", () => {
    expect(isConsistent(outage)).toBe(true);
  });

  it.each([
    ["answers with client errors, such as 403", { misreported: 1 }],
    ["decides wrongly", { wrong: 1 }],
    ["loses what it acknowledged", { lost: ["w3"] }],
  ])("is not when it %s", (_what, changes) => {
    expect(isConsistent({ ...outage, ...changes })).toBe(false);
  });

  it("is described by what was refused and for how long", () => {
    expect(describeOutage(outage)).toBe(
      "11 of 100 requests at 40/s refused within 12.3 s, the last 9.9 s after its cause (9 × evaluation 503 unavailable, 2 × nodes ECONNREFUSED), 0 answered as an error of the caller or the suite, 0 answered wrongly, 0 of 7 acknowledged writes lost",
    );
  });
});
