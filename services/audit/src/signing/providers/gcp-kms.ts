import { createPublicKey } from "node:crypto";
import type { SignatureAlgorithm } from "@ikg/audit";
import type { ActiveSigning } from "../active-signing.ts";
import { type Signer, type SigningFailure, SigningFault } from "../signer.ts";
import { crc32c } from "./crc32c.ts";
import { jwkOf, remoteSigner } from "./remote-key.ts";

export interface GcpSettings {
  /** Address of the key service instead of Google's own: gRPC without TLS. */
  readonly kmsEndpoint: string | undefined;
}

const scope = "https://www.googleapis.com/auth/cloudkms";

const algorithms: readonly (readonly [RegExp, SignatureAlgorithm])[] = [
  [/^EC_SIGN_P256_SHA256$/, "ES256"],
  [/^EC_SIGN_P384_SHA384$/, "ES384"],
  [/^RSA_SIGN_PSS_\d+_SHA256$/, "PS256"],
  [/^RSA_SIGN_PKCS1_\d+_SHA256$/, "RS256"],
];

/** Codes of gRPC (google.rpc.Code). */
const reasons: Readonly<Record<number, SigningFailure>> = {
  3: "unsupported_key",
  5: "not_found",
  7: "access_denied",
  8: "throttled",
  9: "access_denied",
  16: "access_denied",
};

const classify = (error: unknown): SigningFault => {
  const code = Number(error instanceof Error && "code" in error ? error.code : undefined);
  return new SigningFault(reasons[code] ?? "unavailable", `Google Cloud KMS: code ${code}`);
};

const damaged = (): SigningFault =>
  new SigningFault("unavailable", "Google Cloud KMS: what was sent or answered was damaged on the way");

/** The checksum of an answer, which comes as a wrapped integer of 64 bits. */
const sumOf = (wrapped: { value?: unknown } | null | undefined): number => Number(String(wrapped?.value));

/** The deployment's own identity, or the account that it impersonates for the customer. */
const identity = async (account: string | undefined) => {
  const { GoogleAuth, Impersonated } = await import("google-auth-library");
  if (account === undefined) return new GoogleAuth({ scopes: [scope] });
  const sourceClient = await new GoogleAuth({ scopes: [scope] }).getClient();
  const authClient = new Impersonated({
    sourceClient,
    targetPrincipal: account,
    targetScopes: [scope],
    lifetime: 900,
  });
  return new GoogleAuth({ authClient });
};

const clientAt = async (endpoint: string | undefined, account: string | undefined) => {
  const [{ KeyManagementServiceClient }, { grpc }] = await Promise.all([
    import("@google-cloud/kms"),
    import("google-gax"),
  ]);
  if (endpoint === undefined) return new KeyManagementServiceClient({ auth: await identity(account) });
  const { hostname, port } = new URL(endpoint);
  return new KeyManagementServiceClient({
    apiEndpoint: hostname,
    port: Number(port),
    sslCreds: grpc.credentials.createInsecure(),
    projectId: "local",
  });
};

/** A version of a key in Google Cloud KMS (runtime specification 5.7); its checksums are sent and checked. */
export const openGcpKms =
  ({ kmsEndpoint }: GcpSettings) =>
  async ({ keyResource: name = "", kid = "", authParams }: ActiveSigning): Promise<Signer> => {
    const client = await clientAt(kmsEndpoint, authParams["impersonate_service_account"]);
    const options = { timeout: 5_000, retry: null };
    return remoteSigner(
      {
        form: "der",
        describe: async () => {
          const [{ algorithm, pem, pemCrc32c }] = await client.getPublicKey({ name }, options);
          if (typeof pem !== "string" || sumOf(pemCrc32c) !== crc32c(Buffer.from(pem))) throw damaged();
          const alg = algorithms.find(([form]) => form.test(String(algorithm)))?.[1];
          if (alg === undefined)
            throw new SigningFault("unsupported_key", "the key signs by none of our algorithms");
          return { alg, key: jwkOf(createPublicKey(pem)) };
        },
        signDigest: async (digest, alg) => {
          const [answer] = await client.asymmetricSign(
            {
              name,
              digest: { [alg === "ES384" ? "sha384" : "sha256"]: digest },
              digestCrc32c: { value: crc32c(digest) },
            },
            options,
          );
          const signature = Buffer.from(answer.signature ?? "");
          if (answer.verifiedDigestCrc32c !== true || sumOf(answer.signatureCrc32c) !== crc32c(signature))
            throw damaged();
          return signature;
        },
        classify,
        close: () => void client.close(),
      },
      kid,
    );
  };
