import { randomBytes } from "node:crypto";
import { createServer } from "node:https";
import type { Certificate } from "./certificate.ts";
import { type CloudKey, signDigest } from "./cloud-key.ts";
import { closing, type Handled, json, type KeyService, listening, withBody } from "./key-service.ts";

type Answer = (status: number, content: object) => void;

const azureFaults = { denies: 403, throttles: 429, disabled: 403, missing: 404 } as const;

type Vault = KeyService & { readonly clientSecret: string; readonly accessToken: string };

const authorityOf = ({ address }: Vault): string => `${address}/11111111-1111-1111-1111-111111111111`;

/** Answers the requests to the authority; false for other requests. */
const handleAuthority = (vault: Vault, { pathname }: URL, body: string, answer: Answer): boolean => {
  const authority = authorityOf(vault);
  if (pathname.endsWith("/openid-configuration")) {
    answer(200, {
      issuer: `${authority}/v2.0`,
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      token_endpoint: `${authority}/oauth2/v2.0/token`,
      jwks_uri: `${authority}/keys`,
    });
    return true;
  }
  if (!pathname.endsWith("/oauth2/v2.0/token")) return false;
  const form = new URLSearchParams(body);
  vault.identities.add(form.get("client_id") ?? "");
  if (form.get("client_secret") !== vault.clientSecret) answer(401, { error: "invalid_client" });
  else answer(200, { token_type: "Bearer", expires_in: 3_600, access_token: vault.accessToken });
  return true;
};

const handleKey = (vault: Vault, isRead: boolean, { pathname }: URL, body: string, answer: Answer): void => {
  const kid = `${vault.address}${pathname.replace(/\/sign$/, "")}`;
  if (isRead) {
    answer(200, {
      key: { ...vault.key.publicKey.export({ format: "jwk" }), kid, key_ops: ["sign", "verify"] },
      attributes: { enabled: true },
    });
    return;
  }
  const { alg, value } = JSON.parse(body) as { alg: string; value: string }; // as the SDK sends it
  if (alg !== vault.key.alg) {
    answer(400, { error: { code: "BadParameter" } });
    return;
  }
  const signature = signDigest(vault.key, Buffer.from(value, "base64url"), "compact");
  answer(200, { kid, value: signature.toString("base64url") });
};

/** A vault of Azure and the authority that issues its tokens, at one address: challenge, token, key, signature. */
export const startAzure = async (
  key: CloudKey,
  certificate: Certificate,
): Promise<KeyService & { readonly clientSecret: string }> => {
  const handle: Handled = (request, response, body) => {
    const { mood } = service;
    if (mood === "silent") return;
    const answer: Answer = (status, content) => json(response, status, "application/json", content);
    const url = new URL(request.url ?? "/", service.address);
    if (handleAuthority(service, url, body, answer)) return;
    if (request.headers.authorization !== `Bearer ${service.accessToken}`) {
      response.setHeader(
        "WWW-Authenticate",
        `Bearer authorization="${authorityOf(service)}", resource="https://vault.azure.net"`,
      );
      answer(401, { error: { code: "Unauthorized" } });
      return;
    }
    service.calls.push(`${request.method} ${url.pathname} ${url.searchParams.has("api-version")}`);
    if (mood !== "well") answer(azureFaults[mood], { error: { code: "no" } });
    else handleKey(service, request.method === "GET", url, body, answer);
  };
  const server = createServer(certificate, withBody(handle));
  const port = await listening(server, "localhost");
  const service: Vault = {
    address: `https://localhost:${port}`,
    mood: "well",
    key,
    calls: [],
    identities: new Set(),
    clientSecret: randomBytes(16).toString("hex"),
    accessToken: randomBytes(16).toString("hex"),
    close: () => closing(server),
  };
  return service;
};
