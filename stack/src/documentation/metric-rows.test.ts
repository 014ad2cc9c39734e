import { describe, expect, it } from "@jest/globals";
import { rowsOf } from "./metric-rows.ts";

const file = "services/access/src/some.ts";

describe("the metrics of a source", () => {
  it("are read from the literals of their registration", () =>
    expect(rowsOf(file, 'metrics.counter("ikg_some_total", "Some.", ["kind"]);')).toEqual([
      { name: "ikg_some_total", kind: "counter", help: "Some.", labels: ["kind"], services: ["access"] },
    ]));

  it.each([
    ["a name", 'metrics.counter(name, "Some.");'],
    ["a help text", 'metrics.gauge("ikg_some", `Some ${what}.`);'],
    ["labels", 'metrics.histogram("ikg_some", "Some.", labels);'],
    ["a label", 'metrics.histogram("ikg_some", "Some.", ["kind", label]);'],
  ])("are refused with %s that is no literal", (_name, source) =>
    expect(() => rowsOf(file, source)).toThrow(`${file}: name, help and labels`),
  );
});
