import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { testHost } from "./test-host.ts";

/** An identity provider that is reached over HTTP: discovery, keys, userinfo and introspection. */
export interface HttpIssuer {
  /** The address that it publishes; a test with a proxy before it sets it. */
  issuer: string;
  readonly port: number;
  /** Members of an introspection response besides `sub`. */
  introspection: Readonly<Record<string, unknown>>;
  /** Signs exactly these claims, by default with the key that is published under `kid`. */
  sign(claims: JWTPayload, header?: { readonly kid?: string; readonly forged?: boolean }): Promise<string>;
  close(): Promise<void>;
}

const algorithm = "ES256";

/** Starts one on a port that the system chooses. */
export const startHttpIssuer = async (): Promise<HttpIssuer> => {
  const [own, foreign] = [await generateKeyPair(algorithm), await generateKeyPair(algorithm)];
  const published = { ...(await exportJWK(own.publicKey)), kid: "published", alg: algorithm, use: "sig" };
  const answers: Readonly<Record<string, () => readonly [status: number, body: object]>> = {
    "GET /.well-known/openid-configuration": () => [
      200,
      { issuer: it.issuer, jwks_uri: `${it.issuer}/keys`, userinfo_endpoint: `${it.issuer}/userinfo` },
    ],
    "GET /keys": () => [200, { keys: [published] }],
    "GET /userinfo": () => [401, {}],
    "POST /introspect": () => [200, it.introspection],
  };
  const answer: RequestListener = (request, response) => {
    const [status, body] = answers[`${request.method} ${request.url}`]?.() ?? [404, {}];
    request.resume();
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer(answer);
  server.listen(0, testHost());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of TCP
  const it: HttpIssuer = {
    issuer: `http://${testHost()}:${port}`,
    port,
    introspection: { active: true },
    sign: (claims, { kid = "published", forged = false } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid })
        .sign(forged ? foreign.privateKey : own.privateKey),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return it;
};
