import type { Answer } from "./send.ts";

/**
 * The body of an answer that must have this status.
 *
 * @throws Error with status and body of an answer that has another one
 */
// The caller names the shape that the contract gives to this status.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const must = <T>({ status, text, body }: Answer, expected: number): T => {
  if (status !== expected)
    throw new Error(`status ${expected} expected, ${status} came: ${text.slice(0, 2_000)}`);
  // The contract defines the body of this status; tests check the fields that they need.
  return body as T;
};
