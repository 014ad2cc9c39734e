import { describe, expect, it } from "@jest/globals";
import { codeOf } from "./authorize.ts";

describe("the answer of a provider", () => {
  const issuer = "https://id.example";

  it("is a code where the state is that of the request", () => {
    expect(codeOf("?code=c&state=s&iss=https%3A%2F%2Fid.example", issuer, "s")).toBe("c");
    expect(codeOf("?code=c&state=s", issuer, "s")).toBe("c");
  });

  it.each(["?code=c&state=other", "?code=c", ""])("is ignored with another state: %j", (search) => {
    expect(codeOf(search, issuer, "s")).toBeUndefined();
  });

  it("is refused from another issuer, and says what the provider refused", () => {
    expect(() => codeOf("?code=c&state=s&iss=https%3A%2F%2Fevil.example", issuer, "s")).toThrow(
      "another issuer",
    );
    expect(() => codeOf("?error=access_denied&error_description=no&state=s", issuer, "s")).toThrow("no");
  });
});
