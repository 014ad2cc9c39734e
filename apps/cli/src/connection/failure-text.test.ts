import { describe, expect, it } from "@jest/globals";
import { failureText } from "./failure-text.ts";

const failed = (cause: unknown): TypeError => new TypeError("fetch failed", { cause });

describe("the reason of a failed fetch", () => {
  it("is the message of its cause, or the code of a host that refuses at every address", () => {
    expect(failureText(failed(new Error("connect ECONNREFUSED 127.0.0.1:9")))).toBe(
      "connect ECONNREFUSED 127.0.0.1:9",
    );
    const refused = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" });
    expect(failureText(failed(refused))).toBe("ECONNREFUSED");
    expect(failureText(new Error("no cause"))).toBe("no cause");
  });
});
