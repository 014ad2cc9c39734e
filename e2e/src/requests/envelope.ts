import { expect } from "@jest/globals";
import { type ProblemCode, problems } from "@ikg/contracts";
import type { Answer } from "./send.ts";

/** A refusal in the envelope of every error. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Details; absent: the envelope has the message alone. */
  readonly errors?: readonly unknown[];
  /** Value of WWW-Authenticate; absent: there is no such header. */
  readonly challenge?: string | RegExp;
  /** Value of Retry-After; absent: there is no such header. */
  readonly retryAfter?: string;
  /** Value of Allow; absent: there is no such header. */
  readonly allow?: string;
}

/** The answer is exactly this refusal: status, members of the envelope, texts, and headers, also those that must miss. */
export const expectRefusal = ({ status, headers, body }: Answer, wanted: Refusal): void => {
  const { message, errors, challenge, retryAfter, allow } = wanted;
  const envelope = body as Readonly<Record<string, unknown>>; // compared member by member
  expect({ status, body: envelope }).toEqual({
    status: wanted.status,
    body: errors === undefined ? { message } : { message, errors },
  });
  expect(Object.keys(envelope)).toEqual(errors === undefined ? ["message"] : ["message", "errors"]);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toBeTruthy();
  const code = headers.get("x-error-code") as ProblemCode | null; // looked up
  if (code !== null) expect([code, problems[code].status]).toEqual([code, wanted.status]);
  const challenged = headers.get("www-authenticate");
  if (challenge instanceof RegExp) expect(challenged).toMatch(challenge);
  else expect(challenged).toBe(challenge ?? null);
  expect(headers.get("retry-after")).toBe(retryAfter ?? null);
  expect(headers.get("allow")).toBe(allow ?? null);
};
