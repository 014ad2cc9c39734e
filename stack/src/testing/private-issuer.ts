/** An issuer of tokens whose certificate comes from a private authority. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { makeAuthority } from "./certificates.ts";

export interface PrivateIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** The file of the authority's certificate. */
  readonly authority: string;
  /** Requests that have come through TLS so far. */
  readonly requests: () => number;
  /** A token of this person. */
  readonly sign: (sub: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const algorithm = "ES256";
const audience = "private-ca";

/** @param address of this machine */
export const startPrivateIssuer = async (address: string): Promise<PrivateIssuer> => {
  const authority = await makeAuthority();
  const issued = await authority.issue("issuer", [`IP:${address}`]);
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const published = { ...(await exportJWK(publicKey)), kid: "one", alg: algorithm, use: "sig" };
  let [issuer, requests] = ["", 0];
  const answers: Readonly<Record<string, () => object>> = {
    "/.well-known/openid-configuration": () => ({ issuer, jwks_uri: `${issuer}/keys` }),
    "/keys": () => ({ keys: [published] }),
  };
  const certificate = {
    key: readFileSync(issued.key),
    cert: readFileSync(issued.certificate),
  };
  const server = createServer(certificate, (request, response) => {
    requests++;
    const body = answers[request.url ?? ""]?.();
    response.writeHead(body === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, address);
  await once(server, "listening");
  issuer = `https://${address}:${(server.address() as AddressInfo).port}`; // of TCP
  return {
    issuer,
    audience,
    authority: authority.ca,
    requests: () => requests,
    sign: (sub) =>
      new SignJWT({})
        .setProtectedHeader({ alg: algorithm, kid: "one" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime("1 hour")
        .sign(privateKey),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      authority.remove();
    },
  };
};
