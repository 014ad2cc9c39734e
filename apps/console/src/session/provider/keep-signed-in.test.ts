import { expect, it } from "@jest/globals";
import { renewalDelay } from "./keep-signed-in.ts";

it("renews a token before it expires, and one that is valid for months not at once", () => {
  expect(renewalDelay(3_600_000)).toBe(2_880_000);
  // A timer counts in 32 bits with a sign.
  expect(renewalDelay(90 * 86_400_000)).toBe(2_147_483_647);
});
