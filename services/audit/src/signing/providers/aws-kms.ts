import { createPublicKey } from "node:crypto";
import type { SignatureAlgorithm } from "@ikg/audit";
import type { ActiveSigning } from "../active-signing.ts";
import { type Signer, type SigningFailure, SigningFault } from "../signer.ts";
import { jwkOf, remoteSigner } from "./remote-key.ts";

export interface AwsSettings {
  /** Address of the key service instead of Amazon's own. */
  readonly kmsEndpoint: string | undefined;
  /** Address of the token service instead of Amazon's own. */
  readonly stsEndpoint: string | undefined;
}

const algorithms = {
  ES256: "ECDSA_SHA_256",
  ES384: "ECDSA_SHA_384",
  PS256: "RSASSA_PSS_SHA_256",
  RS256: "RSASSA_PKCS1_V1_5_SHA_256",
} as const;

/** The algorithm of a key: of an RSA key PSS, unless the key does without. */
const algorithmOf = (names: readonly string[]): SignatureAlgorithm => {
  const alg = (["ES256", "ES384", "PS256", "RS256"] as const).find((each) =>
    names.includes(algorithms[each]),
  );
  if (alg === undefined) throw new SigningFault("unsupported_key", "the key signs by none of our algorithms");
  return alg;
};

const reasons: Readonly<Record<string, SigningFailure>> = {
  AccessDenied: "access_denied",
  AccessDeniedException: "access_denied",
  DisabledException: "access_denied",
  KMSInvalidStateException: "access_denied",
  InvalidClientTokenId: "access_denied",
  UnrecognizedClientException: "access_denied",
  NotFoundException: "not_found",
  InvalidArnException: "not_found",
  InvalidKeyUsageException: "unsupported_key",
  UnsupportedOperationException: "unsupported_key",
  Throttling: "throttled",
  ThrottlingException: "throttled",
  LimitExceededException: "throttled",
};

/** Says nothing of the error's own text, which may name what was sent. */
const classify = (error: unknown): SigningFault => {
  const name = error instanceof Error ? error.name : "";
  return new SigningFault(reasons[name] ?? "unavailable", `AWS KMS: ${name || "unknown"}`);
};

const regionOf = ({ keyResource = "", authParams }: ActiveSigning): string => {
  const region = authParams["region"] ?? keyResource.split(":")[3];
  if (region === undefined || region === "")
    throw new SigningFault("not_found", "neither key_resource nor auth_params name a region");
  return region;
};

/**
 * A key in AWS KMS. The deployment's own identity assumes the customer's role, with the project as external id, so that
 * nobody can name another customer's role.
 */
export const openAwsKms =
  ({ kmsEndpoint, stsEndpoint }: AwsSettings) =>
  async (active: ActiveSigning, project: string): Promise<Signer> => {
    const [{ KMSClient, SignCommand, GetPublicKeyCommand }, { fromTemporaryCredentials }] = await Promise.all(
      [import("@aws-sdk/client-kms"), import("@aws-sdk/credential-providers")],
    );
    const { keyResource: KeyId = "", kid = "", authParams } = active;
    const region = regionOf(active);
    const { role_arn, external_id = project, access_key_id, secret_access_key } = authParams;
    const credentials =
      role_arn !== undefined
        ? fromTemporaryCredentials({
            params: {
              RoleArn: role_arn,
              ExternalId: external_id,
              RoleSessionName: "audit-signing",
              DurationSeconds: 900,
            },
            clientConfig: {
              region,
              maxAttempts: 1,
              ...(stsEndpoint === undefined ? {} : { endpoint: stsEndpoint }),
            },
          })
        : access_key_id !== undefined && secret_access_key !== undefined
          ? { accessKeyId: access_key_id, secretAccessKey: secret_access_key }
          : undefined;
    if (credentials === undefined)
      throw new SigningFault("access_denied", "auth_params name neither a role nor an access key");
    const client = new KMSClient({
      region,
      credentials,
      maxAttempts: 1,
      ...(kmsEndpoint === undefined ? {} : { endpoint: kmsEndpoint }),
    });
    return remoteSigner(
      {
        form: "der",
        describe: async (abortSignal) => {
          const { PublicKey, SigningAlgorithms = [] } = await client.send(
            new GetPublicKeyCommand({ KeyId }),
            {
              abortSignal,
            },
          );
          const alg = algorithmOf(SigningAlgorithms);
          const spki = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: "der", type: "spki" });
          return { alg, key: jwkOf(spki) };
        },
        signDigest: async (Message, alg, abortSignal) => {
          const { Signature = new Uint8Array() } = await client.send(
            new SignCommand({ KeyId, Message, MessageType: "DIGEST", SigningAlgorithm: algorithms[alg] }),
            { abortSignal },
          );
          return Signature;
        },
        classify,
        close: () => client.destroy(),
      },
      kid,
    );
  };
