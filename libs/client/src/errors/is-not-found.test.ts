import { describe, expect, it } from "@jest/globals";
import { errorOfResponse } from "./error-of-response.ts";
import { IkgUnreachable } from "./ikg-unreachable.ts";
import { isNotFound } from "./is-not-found.ts";

const responded = (status: number) => errorOfResponse(new Response("", { status }), "");

describe("a request for what does not exist", () => {
  it("is one that is answered 404", () => {
    expect([404, 403, 409, 410, 500].map((status) => isNotFound(responded(status)))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isNotFound(new IkgUnreachable("connection", "lost"))).toBe(false);
    expect(isNotFound(Object.assign(new Error("of another library"), { status: 404 }))).toBe(false);
  });
});
