import { describe, expect, it } from "@jest/globals";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const directivesOf = (policy: string): readonly string[] => policy.split("; ");

describe("the content security policy of a page", () => {
  it("allows nothing but files and calls of its own origin", () => {
    expect(directivesOf(contentSecurityPolicy({}))).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it("adds the sources and directives of the page", () => {
    const policy = contentSecurityPolicy({
      styles: ["'unsafe-inline'"],
      connections: ["https://login.example"],
      furtherDirectives: ["trusted-types 'none'"],
    });
    expect(directivesOf(policy)).toEqual(
      expect.arrayContaining([
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self' https://login.example",
        "trusted-types 'none'",
      ]),
    );
  });
});
