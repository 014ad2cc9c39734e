import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  hashCredential,
  isAgentKey,
  isOwnCredential,
  newCredential,
  parseCredential,
  sameHash,
} from "./credential.ts";

const known = `ak1_k7f3q2m9x1c8v5b4_${"A".repeat(43)}_e8101c52`;

describe("the form of a credential", () => {
  it("has the checksum of a known token", () => {
    expect(parseCredential(known)).toEqual({ prefix: "ak1", kid: "k7f3q2m9x1c8v5b4" });
  });

  it.each(["ak1", "sa1"] as const)("round-trips for %s", (prefix) => {
    for (let i = 0; i < 200; i++) {
      const { token, kid } = newCredential(prefix);
      expect(token).toMatch(/^(ak1|sa1)_[0-9a-z]{16}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}$/);
      expect(parseCredential(token)).toEqual({ prefix, kid });
    }
  });

  it("refuses every single changed character", () => {
    const { token } = newCredential("ak1");
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === "b" ? "c" : "b";
      expect(parseCredential(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined();
    }
  });

  it.each([
    "",
    "ak1",
    known.toUpperCase(),
    `${known} `,
    ` ${known}`,
    `${known}\n`,
    known.replace("ak1", "ak2"),
    known.slice(0, -1),
  ])("refuses %j", (text) => {
    expect(parseCredential(text)).toBeUndefined();
  });

  it("is distinguished from a user's token by its prefix, with a typo too", () => {
    const [key, token] = [newCredential("ak1").token, newCredential("sa1").token];
    expect([key, `${key}x`, "ak1_"].map(isAgentKey)).toEqual([true, true, true]);
    expect([token, "ak2_x", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", ""].map(isAgentKey)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
    expect([key, token, "sa1_x", "opaque"].map(isOwnCredential)).toEqual([true, true, true, false]);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => parseCredential(text) === undefined));
  });
});

describe("what is stored", () => {
  const pepper = Buffer.alloc(32, 1);

  it("depends on token and pepper and shows neither", () => {
    const hash = hashCredential(known, pepper);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashCredential(known, Buffer.alloc(32, 2))).not.toBe(hash);
    expect(hashCredential(newCredential("ak1").token, pepper)).not.toBe(hash);
  });

  it("is compared as a whole", () => {
    expect(sameHash("abc", "abc")).toBe(true);
    expect(sameHash("abc", "abd")).toBe(false);
    expect(sameHash("abc", "ab")).toBe(false);
  });
});
