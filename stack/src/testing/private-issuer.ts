/** An issuer of tokens whose certificate comes from an authority that nobody knows. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Refusal } from "../../launch/refusal.mjs";
import { runProgram } from "../../launch/run-program.mjs";

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

/** Makes an authority, and a certificate of it for an address, in a folder. */
const certify = async (folder: string, address: string): Promise<void> => {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const files = (name: string): string[] => [
    "-keyout",
    join(folder, `${name}.key`),
    "-out",
    join(folder, `${name}.crt`),
  ];
  const by = ["-CA", join(folder, "ca.crt"), "-CAkey", join(folder, "ca.key")];
  const openssl = async (...args: readonly string[]): Promise<void> => {
    const { code, tail } = await runProgram("openssl", ["req", "-x509", ...key, ...args]);
    if (code !== 0) throw new Refusal([`openssl req failed.`, ...tail.slice(-5)].join("\n"));
  };
  await openssl("-subj", "/CN=private authority", ...files("ca"));
  const extensions = [`subjectAltName=IP:${address}`, "basicConstraints=critical,CA:FALSE"];
  await openssl(
    "-subj",
    "/CN=issuer",
    ...by,
    ...extensions.flatMap((each) => ["-addext", each]),
    ...files("server"),
  );
};

/** @param address of this machine */
export const startPrivateIssuer = async (address: string): Promise<PrivateIssuer> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-issuer-"));
  await certify(folder, address);
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const published = { ...(await exportJWK(publicKey)), kid: "one", alg: algorithm, use: "sig" };
  let [issuer, requests] = ["", 0];
  const answers: Readonly<Record<string, () => object>> = {
    "/.well-known/openid-configuration": () => ({ issuer, jwks_uri: `${issuer}/keys` }),
    "/keys": () => ({ keys: [published] }),
  };
  const certificate = {
    key: readFileSync(join(folder, "server.key")),
    cert: readFileSync(join(folder, "server.crt")),
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
    authority: join(folder, "ca.crt"),
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
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
