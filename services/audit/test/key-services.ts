/** Key services of three clouds that speak the wire protocols of the real ones, with real keys (runtime specification 5.7). */
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, privateEncrypt, randomBytes } from "node:crypto";
import { constants } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Metadata, ServiceError } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { p256, p384 } from "@noble/curves/nist.js";
import { crc32c } from "../src/signing/providers/crc32c.ts";

export type KeyAlgorithm = "ES256" | "ES384" | "PS256" | "RS256";

/** What a key service does now. */
export type Mood = "well" | "denies" | "throttles" | "disabled" | "missing" | "silent";

/** One key that a service keeps. */
export interface CloudKey {
  readonly alg: KeyAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const newCloudKey = (alg: KeyAlgorithm): CloudKey => ({
  alg,
  ...(alg === "ES256" || alg === "ES384"
    ? generateKeyPairSync("ec", { namedCurve: alg === "ES256" ? "P-256" : "P-384" })
    : generateKeyPairSync("rsa", { modulusLength: 2048 })),
});

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** What stands before a SHA-256 in a signature of PKCS #1 v1.5 (RFC 8017, section 9.2). */
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** A digest as RSASSA-PSS encodes it for a key of 2,048 bits, with a salt of its own length (RFC 8017, section 9.1.1). */
const pssEncoded = (digest: Uint8Array): Buffer => {
  const salt = randomBytes(32);
  const hash = sha256(Buffer.alloc(8), digest, salt);
  const block = Buffer.concat([Buffer.alloc(256 - 32 - 32 - 2), Buffer.from([1]), salt]);
  const mask = Buffer.concat(Array.from({ length: 7 }, (_, at) => sha256(hash, Buffer.from([0, 0, 0, at]))));
  const masked = Buffer.from(block.map((byte, at) => byte ^ (mask[at] ?? 0)));
  masked.writeUInt8(masked.readUInt8(0) & 0x7f, 0);
  return Buffer.concat([masked, hash, Buffer.from([0xbc])]);
};

/** Signs a digest that somebody else made, which Node's own crypto does not do with every key. */
const signDigest = ({ alg, privateKey }: CloudKey, digest: Uint8Array, format: "der" | "compact"): Buffer => {
  if (alg === "PS256")
    return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, pssEncoded(digest));
  if (alg === "RS256") return privateEncrypt(privateKey, Buffer.concat([digestInfo, digest]));
  const { d = "" } = privateKey.export({ format: "jwk" });
  const curve = alg === "ES256" ? p256 : p384;
  return Buffer.from(
    curve.sign(digest, Buffer.from(d, "base64url"), { prehash: false, lowS: false, format }),
  );
};

/** A running key service. */
export interface KeyService {
  readonly address: string;
  /** What it does; every call from now on. */
  mood: Mood;
  key: CloudKey;
  /** What was asked, without what is secret. */
  readonly asked: string[];
  /** Whose identity the calls brought. */
  readonly identities: Set<string>;
  close(): Promise<void>;
}

const listening = async (server: NetServer, host = "127.0.0.1"): Promise<number> => {
  await once(server.listen(0, host), "listening");
  return (server.address() as AddressInfo).port; // of TCP
};

const closing = async (server: NetServer & { closeAllConnections(): void }): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
};

type Handled = (request: IncomingMessage, response: ServerResponse, body: string) => void;
const withBody =
  (handle: Handled): RequestListener =>
  (request, response) => {
    void text(request).then((body) => handle(request, response, body));
  };

const json = (response: ServerResponse, status: number, type: string, body: object): void => {
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
};

const awsNames = {
  ES256: "ECDSA_SHA_256",
  ES384: "ECDSA_SHA_384",
  PS256: "RSASSA_PSS_SHA_256",
  RS256: "RSASSA_PKCS1_V1_5_SHA_256",
} as const;
const awsFaults = {
  denies: "AccessDeniedException",
  throttles: "ThrottlingException",
  disabled: "DisabledException",
  missing: "NotFoundException",
} as const;

const assumedRole = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
<Credentials><AccessKeyId>ASIATEST</AccessKeyId><SecretAccessKey>assumed-secret</SecretAccessKey>
<SessionToken>session</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>`;

/** AWS KMS and STS at one address: JSON 1.1 with SigV4, and a form that is answered by XML. */
export const startAws = async (key: CloudKey): Promise<KeyService> => {
  const handle: Handled = (request, response, body) => {
    const { mood } = service;
    if (mood === "silent") return;
    const [, identity = ""] = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "") ?? [];
    service.identities.add(identity);
    if (body.startsWith("Action=")) {
      const form = new URLSearchParams(body);
      service.asked.push(`AssumeRole ${form.get("RoleArn")} ${form.get("ExternalId")}`);
      response.writeHead(200, { "Content-Type": "text/xml" }).end(assumedRole);
      return;
    }
    const answer = (status: number, said: object): void =>
      json(response, status, "application/x-amz-json-1.1", said);
    if (mood !== "well") {
      answer(400, { __type: awsFaults[mood], message: "no" });
      return;
    }
    const target = String(request.headers["x-amz-target"]);
    const asked = JSON.parse(body) as Record<string, string>; // as the SDK sends it
    service.asked.push(`${target} ${asked["KeyId"]}`);
    const { alg } = service.key;
    if (target === "TrentService.GetPublicKey") {
      const spki = service.key.publicKey.export({ format: "der", type: "spki" });
      const also = alg === "PS256" ? [awsNames.RS256] : [];
      answer(200, {
        KeyId: asked["KeyId"],
        PublicKey: spki.toString("base64"),
        SigningAlgorithms: [...also, awsNames[alg]],
      });
    } else if (asked["SigningAlgorithm"] !== awsNames[alg] || asked["MessageType"] !== "DIGEST")
      answer(400, { __type: "InvalidKeyUsageException" });
    else {
      const digest = Buffer.from(asked["Message"] ?? "", "base64");
      answer(200, {
        KeyId: asked["KeyId"],
        Signature: signDigest(service.key, digest, "der").toString("base64"),
        SigningAlgorithm: awsNames[alg],
      });
    }
  };
  const server = createServer(withBody(handle));
  const port = await listening(server);
  const service: KeyService = {
    address: `http://127.0.0.1:${port}`,
    mood: "well",
    key,
    asked: [],
    identities: new Set(),
    close: () => closing(server),
  };
  return service;
};

const gcpNames = {
  ES256: "EC_SIGN_P256_SHA256",
  ES384: "EC_SIGN_P384_SHA384",
  PS256: "RSA_SIGN_PSS_2048_SHA256",
  RS256: "RSA_SIGN_PKCS1_2048_SHA256",
} as const;

const folderOf = (name: string): string => dirname(fileURLToPath(import.meta.resolve(name)));

interface GrpcCall {
  readonly request: Readonly<Record<string, unknown>>;
  readonly metadata: Metadata;
}
type GrpcAnswer = (error: Partial<ServiceError> | null, answer?: object) => void;

/** Who may call Google Cloud KMS, where it asks: over TLS, with the token of an identity. */
export interface Guard {
  readonly certificate: Certificate;
  readonly token: string;
}

/** Google Cloud KMS: gRPC, by the vendor's own proto files. */
export const startGcp = async (key: CloudKey, guard?: Guard): Promise<KeyService> => {
  // Read once, when gRPC is loaded: roots that a machine names for it do not know the certificates of tests.
  delete process.env["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"];
  const { loadPackageDefinition, Server, ServerCredentials, status } = await import("@grpc/grpc-js");
  const definition = loadSync("google/cloud/kms/v1/service.proto", {
    includeDirs: [
      join(folderOf("@google-cloud/kms"), "..", "protos"),
      join(folderOf("google-gax"), "..", "protos"),
    ],
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
    keepCase: false,
  });
  const loaded = loadPackageDefinition(definition) as never as {
    google: { cloud: { kms: { v1: { KeyManagementService: { service: never } } } } };
  }; // as the file says
  const gcpFaults = {
    denies: status.PERMISSION_DENIED,
    throttles: status.RESOURCE_EXHAUSTED,
    disabled: status.FAILED_PRECONDITION,
    missing: status.NOT_FOUND,
  } as const;
  const server = new Server();
  const guarded =
    (what: string, work: (request: GrpcCall["request"]) => object) =>
    ({ request, metadata }: GrpcCall, answer: GrpcAnswer): void => {
      const { mood } = service;
      if (mood === "silent") return;
      if (guard !== undefined && String(metadata.get("authorization")) !== `Bearer ${guard.token}`) {
        answer({ code: status.UNAUTHENTICATED, details: "no" });
        return;
      }
      service.asked.push(`${what} ${String(request["name"])}`);
      if (mood !== "well") answer({ code: gcpFaults[mood], details: "no" });
      else answer(null, work(request));
    };
  server.addService(loaded.google.cloud.kms.v1.KeyManagementService.service, {
    getPublicKey: guarded("getPublicKey", ({ name }) => {
      const pem = service.key.publicKey.export({ format: "pem", type: "spki" }).toString();
      return {
        name,
        pem,
        algorithm: gcpNames[service.key.alg],
        pemCrc32c: { value: String(crc32c(Buffer.from(pem))) },
      };
    }),
    asymmetricSign: guarded("asymmetricSign", ({ name, digest, digestCrc32c }) => {
      const made = digest as Record<string, Buffer>; // one of its members is set
      const bytes = made[service.key.alg === "ES384" ? "sha384" : "sha256"] ?? Buffer.alloc(0);
      const sent = Number((digestCrc32c as { value: string }).value);
      const signature = signDigest(service.key, bytes, "der");
      return {
        name,
        signature,
        signatureCrc32c: { value: String(crc32c(signature)) },
        verifiedDigestCrc32c: sent === crc32c(bytes),
      };
    }),
  });
  const port = await new Promise<number>((resolve, reject) => {
    const [host, credentials] =
      guard === undefined
        ? ["127.0.0.1", ServerCredentials.createInsecure()]
        : ["localhost", ServerCredentials.createSsl(null, [grpcPair(guard.certificate)])];
    server.bindAsync(`${host}:0`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const service: KeyService = {
    address: guard === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    mood: "well",
    key,
    asked: [],
    identities: new Set(),
    close: async () => server.forceShutdown(),
  };
  return service;
};

/** Google's identities: the workload's own token is exchanged for one, and that for one of an account that it may be. */
export interface GoogleIdentity {
  readonly address: string;
  /** What a workload outside of Google's cloud finds in the file that `GOOGLE_APPLICATION_CREDENTIALS` names. */
  readonly credentials: (subjectTokenFile: string) => object;
  /** The token that a workload is given by its own platform. */
  readonly subjectToken: string;
  /** The token of the account. */
  readonly accountToken: string;
  /** What was asked, without what is secret. */
  readonly asked: string[];
  /** Whether the workload may be the account. */
  mayImpersonate: boolean;
  close(): Promise<void>;
}

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Security Token Service (RFC 8693) and IAM Service Account Credentials, at one address. */
export const startGoogleIdentity = async (certificate: Certificate): Promise<GoogleIdentity> => {
  const token = (): string => randomBytes(24).toString("hex");
  const [subjectToken, workloadToken, accountToken] = [token(), token(), token()];
  const audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q";
  const handle: Handled = (request, response, body) => {
    const answer = (status: number, said: object): void => json(response, status, "application/json", said);
    const path = decodeURIComponent(request.url ?? "");
    if (path === "/v1/token") {
      const form = new URLSearchParams(body);
      identity.asked.push(`exchange ${form.get("scope")}`);
      const known =
        form.get("grant_type") === exchangeGrant &&
        form.get("audience") === audience &&
        form.get("subject_token") === subjectToken;
      if (!known) answer(400, { error: "invalid_grant", error_description: "no" });
      else answer(200, { access_token: workloadToken, token_type: "Bearer", expires_in: 3_600 });
      return;
    }
    const { scope = [], lifetime } = JSON.parse(body) as { scope?: string[]; lifetime?: string }; // as the SDK sends it
    identity.asked.push(`${path} ${scope.join()} ${lifetime}`);
    if (request.headers.authorization !== `Bearer ${workloadToken}` || !identity.mayImpersonate)
      answer(403, { error: { code: 403, status: "PERMISSION_DENIED", message: "no" } });
    else answer(200, { accessToken: accountToken, expireTime: new Date(Date.now() + 900_000).toISOString() });
  };
  const server = createTlsServer(certificate, withBody(handle));
  const port = await listening(server, "localhost");
  const address = `https://localhost:${port}`;
  const identity: GoogleIdentity = {
    address,
    credentials: (file) => ({
      type: "external_account",
      audience,
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `${address}/v1/token`,
      credential_source: { file },
    }),
    subjectToken,
    accountToken,
    asked: [],
    mayImpersonate: true,
    close: () => closing(server),
  };
  return identity;
};

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const grpcPair = ({ key, cert }: Certificate) => ({
  private_key: Buffer.from(key),
  cert_chain: Buffer.from(cert),
});

/** A certificate for localhost that nobody else trusts. */
export const newCertificate = (): Certificate => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-certificate-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`.split(
        " ",
      ),
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

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
  const server = createTlsServer(certificate, withBody(handle));
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
