import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { loggedRequestId, requestIdOf } from "./request-id.ts";

/** Only the headers of a request are read. */
const request = (id?: string) => ({ headers: { "x-request-id": id } }) as unknown as IncomingMessage;

describe("the request id", () => {
  it.each(["a", "0af7-65", "x".repeat(129), "a b", "caf\u00e9"])("%s is echoed as sent", (id) => {
    expect(requestIdOf(request(id))).toBe(id);
  });

  it.each([undefined, ""])("is made for %j", (id) => {
    expect(requestIdOf(request(id))).toMatch(/^[0-9a-f]{8}-/);
  });

  it("is logged as at most 128 visible characters", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 1000 }), (id) => {
        expect(loggedRequestId(id)).toMatch(/^[\x21-\x7e]{0,128}$/);
      }),
    );
    expect(loggedRequestId("x".repeat(300))).toBe("x".repeat(128));
  });
});
