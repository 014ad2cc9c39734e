import { describe, expect, it } from "@jest/globals";
import { traceContextOf, traceparentOf } from "./trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describe("traceparent", () => {
  it("is read and written as W3C Trace Context has it", () => {
    const header = `00-${traceId}-${spanId}-01`;
    expect(traceContextOf(header)).toEqual({ traceId, spanId, flags: 1 });
    expect(traceparentOf({ traceId, spanId, flags: 1 })).toBe(header);
  });

  it("of a later version is read as far as it is known", () => {
    expect(traceContextOf(`cc-${traceId}-${spanId}-00-what-will-be`)).toEqual({ traceId, spanId, flags: 0 });
  });

  it.each([
    ["nothing", undefined],
    ["several", [`00-${traceId}-${spanId}-01`]],
    ["no trace", `00-${"0".repeat(32)}-${spanId}-01`],
    ["no span", `00-${traceId}-${"0".repeat(16)}-01`],
    ["capitals", `00-${traceId.toUpperCase()}-${spanId}-01`],
    ["the version that there is not", `ff-${traceId}-${spanId}-01`],
    ["more than the version has", `00-${traceId}-${spanId}-01-more`],
    ["a text", "hello"],
  ])("counts as not sent: %s", (_name, header) => {
    expect(traceContextOf(header)).toBeUndefined();
  });
});
