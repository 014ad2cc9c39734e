import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { newKeyPair } from "../../../../stack/src/testing/internal-contexts.ts";
import { CalledByMcpSettings, GatewayContextSettings } from "./context-settings.ts";
import { readSettings } from "../settings/settings.ts";

const [one, other] = [newKeyPair(), newKeyPair()];
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const rsaPrivate = rsa.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
const rsaPublic = rsa.publicKey.export({ format: "der", type: "spki" }).toString("base64");

describe("the keys of internal contexts", () => {
  it("are read as openssl writes them, several public ones between commas", () => {
    const { GATEWAY_SIGNING_KEY } = readSettings(GatewayContextSettings, {
      GATEWAY_SIGNING_KEY: one.signingKey,
    });
    expect(GATEWAY_SIGNING_KEY.equals(one.privateKey)).toBe(true);
    const called = readSettings(CalledByMcpSettings, {
      GATEWAY_PUBLIC_KEYS: `${one.publicKeys}, ${other.publicKeys}`,
    });
    expect(called.GATEWAY_PUBLIC_KEYS.map((key) => key.type)).toEqual(["public", "public"]);
    expect(called.GATEWAY_PUBLIC_KEYS[1]?.equals(other.publicKey)).toBe(true);
    expect(called.MCP_PUBLIC_KEYS).toEqual([]);
  });

  it.each(["c2VjcmV0", one.publicKeys, rsaPrivate])(
    "are refused where they are no private key: %#",
    (key) => {
      expect(() => readSettings(GatewayContextSettings, { GATEWAY_SIGNING_KEY: key })).toThrow(
        "GATEWAY_SIGNING_KEY: Ed25519 private key in base64 expected",
      );
    },
  );

  it.each(["c2VjcmV0", one.signingKey, rsaPublic, `${one.publicKeys},x`, ","])(
    "are refused where they are no public keys: %#",
    (keys) => {
      expect(() => readSettings(CalledByMcpSettings, { GATEWAY_PUBLIC_KEYS: keys })).toThrow(
        "GATEWAY_PUBLIC_KEYS: Ed25519 public keys in base64 expected",
      );
    },
  );
});
