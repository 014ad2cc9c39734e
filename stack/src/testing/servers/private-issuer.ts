/** An issuer of tokens whose certificate comes from a private authority. */
import { readFileSync } from "node:fs";
import { makeAuthority } from "./certificates.ts";
import { startIssuerServer } from "./issuer-server.ts";

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

const audience = "private-ca";
const lifetimeSeconds = 3_600;

/** @param address of this machine */
export const startPrivateIssuer = async (address: string): Promise<PrivateIssuer> => {
  const authority = await makeAuthority();
  const { key, certificate } = await authority.issue("issuer", [`IP:${address}`]);
  const server = await startIssuerServer(address, {
    key: readFileSync(key),
    cert: readFileSync(certificate),
  });
  const { issuer } = server;
  return {
    issuer,
    audience,
    authority: authority.ca,
    requests: () => server.requests(),
    sign: (sub) => {
      const iat = Math.floor(Date.now() / 1_000);
      return server.sign({ iss: issuer, aud: audience, sub, iat, exp: iat + lifetimeSeconds });
    },
    close: async () => {
      await server.close();
      authority.remove();
    },
  };
};
