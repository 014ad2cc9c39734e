import { createPublicKey } from "node:crypto";
import type { SignatureAlgorithm } from "@ikg/audit";
import type { ActiveSigning } from "../active-signing.ts";
import { type Signer, type SigningFailure, SigningFault, unsupportedKeyMessage } from "../signer.ts";
import { crc32c } from "./crc32c.ts";
import { jwkOf, remoteSigner } from "./remote-key.ts";

export interface GcpSettings {
  /** Address of the key service instead of Google's own: gRPC, with `http:` without TLS and without an identity. */
  readonly kmsEndpoint: string | undefined;
  /** Address of the service that issues tokens of other accounts, instead of Google's own. */
  readonly iamEndpoint: string | undefined;
}

const keyScope = "https://www.googleapis.com/auth/cloudkms";
/** Google issues tokens of another account only with this scope. */
const issueScope = "https://www.googleapis.com/auth/cloud-platform";

const algorithms: readonly (readonly [RegExp, SignatureAlgorithm])[] = [
  [/^EC_SIGN_P256_SHA256$/, "ES256"],
  [/^EC_SIGN_P384_SHA384$/, "ES384"],
  [/^RSA_SIGN_PSS_\d+_SHA256$/, "PS256"],
  [/^RSA_SIGN_PKCS1_\d+_SHA256$/, "RS256"],
];

/** Says what an error means by the number that errors of one side carry. */
const classifier =
  (side: string, member: "code" | "status", reasons: Readonly<Record<number, SigningFailure>>) =>
  (error: unknown): SigningFault => {
    const number = Number(error instanceof Error ? Reflect.get(error, member) : undefined);
    return new SigningFault(reasons[number] ?? "unavailable", `${side}: ${member} ${number}`);
  };

/** Codes of gRPC (google.rpc.Code). */
const classify = classifier("Google Cloud KMS", "code", {
  3: "unsupported_key",
  5: "not_found",
  7: "access_denied",
  8: "throttled",
  9: "access_denied",
  16: "access_denied",
});

/** Status codes of HTTP, as those who issue tokens answer. */
const classifyIdentity = classifier("Google's identities", "status", {
  400: "access_denied",
  401: "access_denied",
  403: "access_denied",
  404: "not_found",
  429: "throttled",
});

const damaged = (): SigningFault =>
  new SigningFault("unavailable", "Google Cloud KMS: what was sent or answered was damaged on the way");

/** The checksum of an answer, which comes as a wrapped integer of 64 bits. */
const sumOf = (wrapped: { value?: unknown } | null | undefined): number => Number(String(wrapped?.value));

/** The deployment's own identity, or the account that it impersonates for the customer. */
const identityOf = async (
  projectId: string,
  account: string | undefined,
  iamEndpoint: string | undefined,
) => {
  const { GoogleAuth, Impersonated } = await import("google-auth-library");
  // With a project id the library does not look up the deployment's own, which is of no use here.
  if (account === undefined) return new GoogleAuth({ scopes: [keyScope], projectId });
  const authClient = new Impersonated({
    sourceClient: await new GoogleAuth({ scopes: [issueScope], projectId }).getClient(),
    targetPrincipal: account,
    targetScopes: [keyScope],
    lifetime: 900,
    ...(iamEndpoint === undefined ? {} : { endpoint: iamEndpoint }),
  });
  return new GoogleAuth({ authClient, projectId });
};

/** A client, and what has to be done before each of its calls. */
const clientAt = async (
  { kmsEndpoint, iamEndpoint }: GcpSettings,
  projectId: string,
  account: string | undefined,
) => {
  const [{ KeyManagementServiceClient }, { grpc }] = await Promise.all([
    import("@google-cloud/kms"),
    import("google-gax"),
  ]);
  const url = kmsEndpoint === undefined ? undefined : new URL(kmsEndpoint);
  const address = url === undefined ? {} : { apiEndpoint: url.hostname, port: Number(url.port || 443) };
  if (url?.protocol === "http:") {
    const sslCreds = grpc.credentials.createInsecure();
    const client = new KeyManagementServiceClient({ ...address, sslCreds, projectId });
    return { client, identify: async () => undefined };
  }
  const auth = await identityOf(projectId, account, iamEndpoint).catch((error: unknown) => {
    throw classifyIdentity(error);
  });
  const identify = async (): Promise<void> => {
    try {
      // Kept until it ends. A call that has to wait for it would not say why there is none.
      await auth.getAccessToken();
    } catch (error) {
      throw classifyIdentity(error);
    }
  };
  return { client: new KeyManagementServiceClient({ ...address, auth }), identify };
};

/** A version of a key in Google Cloud KMS; its checksums are sent and checked. */
export const openGcpKms =
  (settings: GcpSettings) =>
  async ({ keyResource: name = "", kid = "", authParams }: ActiveSigning): Promise<Signer> => {
    const [, project = ""] = name.split("/");
    const account = authParams["impersonate_service_account"];
    const { client, identify } = await clientAt(settings, project, account);
    const options = { timeout: 5_000, retry: null };
    return remoteSigner(
      {
        form: "der",
        describe: async () => {
          await identify();
          const [{ algorithm, pem, pemCrc32c }] = await client.getPublicKey({ name }, options);
          if (typeof pem !== "string" || sumOf(pemCrc32c) !== crc32c(Buffer.from(pem))) throw damaged();
          const alg = algorithms.find(([form]) => form.test(String(algorithm)))?.[1];
          if (alg === undefined) throw new SigningFault("unsupported_key", unsupportedKeyMessage);
          return { alg, key: jwkOf(createPublicKey(pem)) };
        },
        signDigest: async (digest, alg) => {
          await identify();
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
