import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** An identity provider that is reached over HTTP: discovery, keys, userinfo and introspection. */
export interface IssuerServer {
  /** The address that it publishes; a test with a proxy before it sets it. */
  issuer: string;
  readonly port: number;
  /** Members of an introspection response besides `sub`. */
  introspection: Readonly<Record<string, unknown>>;
  /** Requests so far. */
  requests(): number;
  /** Signs exactly these claims, by default with the key that is published under `kid`. */
  sign(claims: JWTPayload, header?: { readonly kid?: string; readonly forged?: boolean }): Promise<string>;
  close(): Promise<void>;
}

const algorithm = "ES256";

/**
 * Starts one on a port that the system chooses.
 *
 * @param address of this machine
 * @param tls texts in PEM; without them it speaks HTTP
 */
export const startIssuerServer = async (
  address: string,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<IssuerServer> => {
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
  let requests = 0;
  const answer: RequestListener = (request, response) => {
    requests++;
    const [status, body] = answers[`${request.method} ${request.url}`]?.() ?? [404, {}];
    request.resume();
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };
  const server: Server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of TCP
  const it: IssuerServer = {
    issuer: `${tls === undefined ? "http" : "https"}://${address}:${port}`,
    port,
    introspection: { active: true },
    requests: () => requests,
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
