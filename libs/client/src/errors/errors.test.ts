import { describe, expect, it } from "@jest/globals";
import { type ProblemCode, problems } from "@ikg/contracts";
import { bearerChallenge, formatChallenge } from "./challenge.ts";
import { errorOfResponse, retryAfterSeconds } from "./error-of-response.ts";
import { IkgError } from "./ikg-error.ts";
import { StepUpRequired } from "./step-up-required.ts";

const responseOf = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
});
const codes = Object.entries(problems) as [ProblemCode, { status: number; message: string }][]; // of the constant

describe("the error of a response", () => {
  for (const [code, { status, message }] of codes)
    it(`has the code ${code} that the response states`, () => {
      const error = errorOfResponse(
        responseOf(status, { "X-Error-Code": code }),
        JSON.stringify({ message }),
      );
      expect([error.code, error.status, error.summary]).toEqual([code, status, message]);
    });

  it("has the code that status and message tell where none is stated", () => {
    const guessed = codes.map(([code, { status, message }]) => [
      code,
      errorOfResponse(responseOf(status), JSON.stringify({ message })).code,
    ]);
    // The same status and the same message: details tell some of them apart, and the others are stated.
    const ambiguous = new Map<string, string>([
      ["malformed_body", "invalid_request"],
      ["malformed_bearer", "invalid_request"],
      ["input_param_missing", "unprocessable"],
      ["commit_unknown", "internal"],
    ]);
    expect(guessed).toEqual(codes.map(([code]) => [code, ambiguous.get(code) ?? code]));
  });

  it("does not believe a code of another status", () => {
    const error = errorOfResponse(responseOf(503, { "X-Error-Code": "not_found" }), "{}");
    expect(error.code).toBe("unavailable");
  });

  it("has details, the request id and the time to wait", () => {
    const body = JSON.stringify({
      message: "Unprocessable Entity",
      errors: ["policy.actions: must list 1 to 5 actions"],
    });
    const error = errorOfResponse(responseOf(422, { "X-Request-ID": "r", "Retry-After": "3" }), body);
    expect(error.errors).toEqual(["policy.actions: must list 1 to 5 actions"]);
    expect([error.requestId, error.retryAfter]).toEqual(["r", 3]);
    expect(error.message).toBe(
      "Unprocessable Entity: policy.actions: must list 1 to 5 actions (422 unprocessable)",
    );
  });

  for (const text of ["", "<h1>Bad Gateway</h1>", "null", "[]", '{"message":7,"errors":"no"}'])
    it(`is an IkgError also for ${JSON.stringify(text)}`, () => {
      const error = errorOfResponse(responseOf(502), text);
      expect(error).toBeInstanceOf(IkgError);
      expect([error.code, error.errors]).toEqual(["upstream_unreachable", []]);
    });

  it("has a code also for a status that is not in the catalogue", () => {
    expect(errorOfResponse(responseOf(418), "").code).toBe("invalid_request");
    expect(errorOfResponse(responseOf(599), "").code).toBe("internal");
  });

  it("asks for a stronger sign-in, with the parameters of the challenge", () => {
    const challenge =
      'Bearer error="insufficient_user_authentication", error_description="Please sign in again.", max_age="300"';
    const error = errorOfResponse(responseOf(401, { "WWW-Authenticate": challenge }), '{"message":"Again."}');
    expect(error).toBeInstanceOf(StepUpRequired);
    expect((error as StepUpRequired).advice).toEqual({
      error: "insufficient_user_authentication",
      error_description: "Please sign in again.",
      max_age: "300",
    });
    expect(error.code).toBe("token_filter_failed");
  });
});

describe("a challenge", () => {
  it("is read as it was written", () => {
    const parameters = { error: "insufficient_scope", scope: "a b", max_age: "0" };
    expect(bearerChallenge(formatChallenge(parameters))).toEqual(parameters);
    expect(formatChallenge({})).toBe("Bearer");
    expect(formatChallenge({ error: 'a"b\\c\n' })).toBe('Bearer error="a b c "');
  });

  it("is none of another scheme", () => {
    for (const header of [null, "Basic realm=x", "Bearerish", ""])
      expect(bearerChallenge(header)).toBe(undefined);
    expect(bearerChallenge('Bearer realm="a\\"b", error=x')).toEqual({ realm: 'a"b', error: "x" });
  });
});

describe("Retry-After", () => {
  it("is seconds or a date", () => {
    const now = Date.parse("2026-01-31T09:00:00Z");
    expect(retryAfterSeconds("5", now)).toBe(5);
    expect(retryAfterSeconds("Sat, 31 Jan 2026 09:00:30 GMT", now)).toBe(30);
    expect(retryAfterSeconds("Sat, 31 Jan 2026 08:00:00 GMT", now)).toBe(0);
    for (const header of [null, "", "soon", "-1"]) expect(retryAfterSeconds(header, now)).toBe(undefined);
  });
});
