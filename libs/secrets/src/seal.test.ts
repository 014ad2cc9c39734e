import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { keyRing } from "./key-ring.ts";
import { isCurrent, open, seal } from "./seal.ts";

const place = { record: "gid:one", field: "password" };
const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

describe("sealed secrets", () => {
  it("open again, and look different each time", () => {
    const ring = keyRing(randomBytes(32));
    const sealed = seal(ring, place, "grüße 😀");
    expect(open(ring, place, sealed)).toBe("grüße 😀");
    expect(sealed).not.toContain("gr");
    expect(seal(ring, place, "grüße 😀")).not.toBe(sealed);
  });

  it("open for their own record and field only", () => {
    const ring = keyRing(first);
    const sealed = seal(ring, place, "s");
    expect(() => open(ring, { ...place, record: "gid:two" }, sealed)).toThrow("belongs to another record");
    expect(() => open(ring, { ...place, field: "token" }, sealed)).toThrow("belongs to another record");
  });

  it("do not open when a byte was changed", () => {
    const ring = keyRing(first);
    const bytes = Buffer.from(seal(ring, place, "secret"), "base64url");
    for (let at = 1; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => open(ring, place, changed.toString("base64url"))).toThrow("cannot be opened");
    }
    expect(() => open(ring, place, bytes.subarray(0, 20).toString("base64url"))).toThrow("not configured");
    expect(() => open(ring, place, "")).toThrow("not configured");
  });

  it("open with a former key, and tell that it is one", () => {
    const old = seal(keyRing(first), place, "s");
    const ring = keyRing(second, [first]);
    expect(open(ring, place, old)).toBe("s");
    expect([isCurrent(ring, old), isCurrent(ring, seal(ring, place, "s"))]).toEqual([false, true]);
    expect(() => open(keyRing(second), place, old)).toThrow("with a key that is not configured");
  });

  it("want keys of 32 bytes with different ids", () => {
    expect(() => keyRing(Buffer.alloc(31))).toThrow("32 bytes");
    const many = Array.from({ length: 300 }, (_, index) => Buffer.alloc(32, `key ${index}`));
    expect(() => keyRing(first, many)).toThrow("share an id");
    expect(keyRing(first, [first]).byId.size).toBe(1);
  });
});
