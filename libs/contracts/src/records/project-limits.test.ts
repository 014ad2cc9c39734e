import { describe, expect, it } from "@jest/globals";
import { defaultLimitBounds, limitFaults, storedLimits } from "./project-limits.ts";

describe("the limits of a stored record", () => {
  it("are those of known names with valid values", () =>
    expect(
      storedLimits({ records: 7, page_bytes: 0, sessions: "many", node_types: null, of_a_later_release: 1 }),
    ).toEqual({ records: 7 }));

  it.each([[undefined], [null], ["records"], [[7]]])("are none in %j", (stored) =>
    expect(storedLimits(stored)).toEqual({}),
  );
});

describe("limits above a maximum", () => {
  const above = defaultLimitBounds.maxima.records + 1;
  const fault = expect.stringMatching(/^limits.records: at most 10000 expected/);

  it("are refused where they are stated anew", () => {
    expect(limitFaults({ records: above }, defaultLimitBounds)).toEqual([fault]);
    expect(limitFaults({ records: above }, defaultLimitBounds, { records: 5 })).toEqual([fault]);
  });

  it("stay where the record states them already", () =>
    expect(limitFaults({ records: above, sessions: 5 }, defaultLimitBounds, { records: above })).toEqual([]));
});
