import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { InternalTlsServerSettings, InternalTlsSettings } from "../internal-tls/settings.ts";
import { secretKey, secretKeys } from "../settings/settings.ts";

/** @throws what `node:crypto` throws, and for a key of another kind. */
const ed25519 = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyType !== "ed25519") throw new Error("not a key of Ed25519");
  return key;
};

const der = (text: string): Buffer => Buffer.from(text.trim(), "base64");

/** An Ed25519 private key: PKCS #8 (RFC 5958) in base64. */
export const signingKey = (description: string) =>
  z
    .string({ error: "required" })
    .transform((text, context) => {
      try {
        return ed25519(createPrivateKey({ key: der(text), format: "der", type: "pkcs8" }));
      } catch {
        context.addIssue({
          code: "custom",
          message:
            "Ed25519 private key in base64 expected (openssl genpkey -algorithm ed25519 -outform DER | base64)",
        });
        return z.NEVER;
      }
    })
    .meta({ secret: true, description });

const publicKey = (text: string): KeyObject =>
  ed25519(createPublicKey({ key: der(text), format: "der", type: "spki" }));

/** Ed25519 public keys: SubjectPublicKeyInfo (RFC 8410) in base64, separated by commas. */
const publicKeys = () =>
  z.string({ error: "required" }).transform((text, context) => {
    try {
      return text.split(",").map(publicKey);
    } catch {
      context.addIssue({
        code: "custom",
        message:
          "Ed25519 public keys in base64 expected, separated by commas (openssl pkey -pubout -outform DER | base64)",
      });
      return z.NEVER;
    }
  });

const formerContextKey = secretKey(
  "Key of releases before 0.2, only while a deployment is upgraded from one: contexts of that release are accepted and sent as well.",
).optional();

/** The key by which the gateway says who calls. */
export const GatewayContextSettings = z.object({
  GATEWAY_SIGNING_KEY: signingKey("Private key (Ed25519) by which the gateway tells services who calls."),
  INTERNAL_CONTEXT_KEY: formerContextKey,
  ...InternalTlsSettings.shape,
});

/** By which keys a service that the gateway calls knows it. */
export const CalledSettings = z.object({
  GATEWAY_PUBLIC_KEYS: publicKeys().meta({
    description:
      "Public keys (Ed25519) of the gateway, separated by commas: the present one, and the next or former one while it is rotated.",
  }),
  INTERNAL_CONTEXT_KEY: formerContextKey,
  ...InternalTlsServerSettings.shape,
});

/** By which keys a service that mcp calls knows it. */
export const CalledByMcpSettings = z.object({
  ...CalledSettings.shape,
  MCP_PUBLIC_KEYS: publicKeys().default([]).meta({
    description:
      "Public keys of the mcp service in the same way; without one, calls of mcp are refused. They are good for the calls that mcp makes alone.",
  }),
});

/** The key of what callers carry for services. */
export const SealingSettings = z.object({
  TOKEN_SEALING_KEY: secretKey(
    "Seals page, consistency and list tokens and remembered answers of issuers, and makes the ids of elements; the same for access, capture, ciq and mcp.",
  ),
  TOKEN_SEALING_FORMER_KEYS: secretKeys(
    "Further keys that open tokens and remembered answers, separated by commas: the next one and the former ones while the key is rotated.",
  ),
});

/** Which keys a process knows callers by; one that is not called has none. */
export type ContextSettings = Partial<z.output<typeof CalledByMcpSettings>>;
