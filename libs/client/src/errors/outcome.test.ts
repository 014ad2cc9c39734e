import { describe, expect, it } from "@jest/globals";
import { errorOfResponse } from "./error-of-response.ts";
import { IkgUnreachable } from "./ikg-unreachable.ts";
import { isOutcomeUnknown } from "./outcome.ts";

const answered = (status: number, headers: Record<string, string> = {}) =>
  errorOfResponse(new Response("", { status, headers }), "");

describe("the outcome of a request that failed", () => {
  it("is unknown where the response was lost, or is that of a proxy", () => {
    for (const reason of ["connection", "timeout", "invalid_response"] as const)
      expect(isOutcomeUnknown(new IkgUnreachable(reason, "lost"))).toBe(true);
    for (const status of [408, 500, 502, 503, 504]) expect(isOutcomeUnknown(answered(status))).toBe(true);
  });

  it("is known where the service refused, or was never reached", () => {
    for (const status of [400, 401, 403, 404, 409, 412, 422, 429])
      expect(isOutcomeUnknown(answered(status))).toBe(false);
    expect(isOutcomeUnknown(answered(503, { "Retry-After": "1" }))).toBe(false);
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    expect(
      isOutcomeUnknown(new IkgUnreachable("connection", "no", new TypeError("x", { cause: refused }))),
    ).toBe(false);
    expect(isOutcomeUnknown(new Error("a fault of the program"))).toBe(false);
  });
});
