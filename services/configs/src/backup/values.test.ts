import { describe, expect, it } from "@jest/globals";
import neo4j from "neo4j-driver";
import { decodedProperties, encodedProperties } from "./values.ts";

const { Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time } = neo4j.types;

describe("properties of a backup", () => {
  it("are the same after JSON, whatever their types", () => {
    const properties = {
      text: "ü\n\u2028",
      large: 9_007_199_254_740_993n,
      float: 1.5,
      whole: 2,
      negative: -0,
      infinite: -Infinity,
      bytes: new Int8Array([0, -1, 127]),
      list: [1n, 2n],
      texts: ["a", "b"],
      date: new Date(2026n, 2n, 29n),
      time: new LocalTime(1n, 2n, 3n, 4n),
      offset: new Time(1n, 2n, 3n, 4n, 3_600n),
      local: new LocalDateTime(2026n, 1n, 2n, 3n, 4n, 5n, 6n),
      instant: new DateTime(2026n, 1n, 2n, 3n, 4n, 5n, 6n, -3_600n),
      zone: new DateTime(2026n, 10n, 25n, 2n, 30n, 0n, 0n, 3_600n, "Europe/Berlin"),
      duration: new Duration(1n, 2n, 3n, 4n),
      point: new Point(7_203n, 1.5, 2),
      space: new Point(9_157n, 1, 2, 3),
      i: "as a tag is called",
    };
    const json = JSON.stringify(encodedProperties(properties));
    expect(decodedProperties(JSON.parse(json))).toEqual(properties);
  });

  it("are equal texts when they are equal, in whichever order they came", () => {
    expect(JSON.stringify(encodedProperties({ b: 1n, a: 2 }))).toBe(
      JSON.stringify(encodedProperties({ a: 2, b: 1n })),
    );
    expect(JSON.stringify(encodedProperties({ a: 1n }))).not.toBe(
      JSON.stringify(encodedProperties({ a: 1 })),
    );
  });
});
