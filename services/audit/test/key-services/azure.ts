import { randomBytes } from "node:crypto";
import { createServer } from "node:https";
import type { Certificate } from "./certificate.ts";
import { type CloudKey, signDigest } from "./cloud-key.ts";
import {
  closing,
  type Handled,
  json,
  type KeyService,
  listening,
  type Mood,
  withBody,
} from "./key-service.ts";

const azureFaults = { denies: 403, throttles: 429, disabled: 403, missing: 404 } as const;

/** A vault of Azure and the authority that issues its tokens, at one address: challenge, token, key, signature. */
export const startAzure = async (
  key: CloudKey,
  certificate: Certificate,
): Promise<KeyService & { readonly clientSecret: string }> => {
  const clientSecret = randomBytes(16).toString("hex");
  const accessToken = randomBytes(16).toString("hex");
  const handle: Handled = (request, response, body) => {
    const { mood } = service;
    if (mood === "silent") return;
    const answer = (status: number, said: object): void => json(response, status, "application/json", said);
    const url = new URL(request.url ?? "/", service.address);
    const authority = `${service.address}/11111111-1111-1111-1111-111111111111`;
    if (url.pathname.endsWith("/openid-configuration")) {
      answer(200, {
        issuer: `${authority}/v2.0`,
        authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
        token_endpoint: `${authority}/oauth2/v2.0/token`,
        jwks_uri: `${authority}/keys`,
      });
      return;
    }
    if (url.pathname.endsWith("/oauth2/v2.0/token")) {
      const form = new URLSearchParams(body);
      service.identities.add(form.get("client_id") ?? "");
      if (form.get("client_secret") !== clientSecret) answer(401, { error: "invalid_client" });
      else answer(200, { token_type: "Bearer", expires_in: 3_600, access_token: accessToken });
      return;
    }
    if (request.headers.authorization !== `Bearer ${accessToken}`) {
      response.setHeader(
        "WWW-Authenticate",
        `Bearer authorization="${authority}", resource="https://vault.azure.net"`,
      );
      answer(401, { error: { code: "Unauthorized" } });
      return;
    }
    service.asked.push(`${request.method} ${url.pathname} ${url.searchParams.has("api-version")}`);
    if (mood !== "well") {
      answer(azureFaults[mood], { error: { code: "no" } });
      return;
    }
    const kid = `${service.address}${url.pathname.replace(/\/sign$/, "")}`;
    if (request.method === "GET")
      answer(200, {
        key: { ...service.key.publicKey.export({ format: "jwk" }), kid, key_ops: ["sign", "verify"] },
        attributes: { enabled: true },
      });
    else {
      const { alg, value } = JSON.parse(body) as { alg: string; value: string }; // as the SDK sends it
      if (alg !== service.key.alg) answer(400, { error: { code: "BadParameter" } });
      else {
        const signature = signDigest(service.key, Buffer.from(value, "base64url"), "compact");
        answer(200, { kid, value: signature.toString("base64url") });
      }
    }
  };
  const server = createServer(certificate, withBody(handle));
  const port = await listening(server, "localhost");
  const service = {
    address: `https://localhost:${port}`,
    mood: "well" as Mood,
    key,
    asked: [] as string[],
    identities: new Set<string>(),
    clientSecret,
    close: () => closing(server),
  };
  return service;
};
