import { createPublicKey } from "node:crypto";
import type { SignatureAlgorithm } from "@ikg/audit";
import type { ActiveSigning } from "../active-signing.ts";
import { type Signer, type SigningFailure, SigningFault, unsupportedKeyMessage } from "../signer.ts";
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
  if (alg === undefined) throw new SigningFault("unsupported_key", unsupportedKeyMessage);
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
  // It becomes a part of the host that is called, and must not end that.
  if (region === undefined || !/^[a-z0-9-]{1,63}$/.test(region))
    throw new SigningFault("not_found", "neither key_resource nor auth_params name a region of AWS");
  return region;
};

/** With an external id of free choice, the author of a configuration could name the role of another customer. */
const externalIdOf = ({ external_id = "" }: ActiveSigning["authParams"], project: string): string => {
  if (external_id === "") return project;
  if (!external_id.startsWith(project))
    throw new SigningFault("access_denied", "external_id does not begin with the gid of the project");
  return external_id;
};

/** Credentials of the customer's role, which the deployment assumes, or an access key of the customer's. */
const credentialsOf = async (
  { authParams }: ActiveSigning,
  project: string,
  region: string,
  { stsEndpoint }: AwsSettings,
) => {
  const { fromTemporaryCredentials } = await import("@aws-sdk/credential-providers");
  const { role_arn, access_key_id, secret_access_key } = authParams;
  if (role_arn !== undefined)
    return fromTemporaryCredentials({
      params: {
        RoleArn: role_arn,
        ExternalId: externalIdOf(authParams, project),
        RoleSessionName: "audit-signing",
        DurationSeconds: 900,
      },
      clientConfig: {
        region,
        maxAttempts: 1,
        ...(stsEndpoint === undefined ? {} : { endpoint: stsEndpoint }),
      },
    });
  if (access_key_id !== undefined && secret_access_key !== undefined)
    return { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
  throw new SigningFault("access_denied", "auth_params name neither a role nor an access key");
};

/** A key in AWS KMS. */
export const openAwsKms =
  (settings: AwsSettings) =>
  async (active: ActiveSigning, project: string): Promise<Signer> => {
    const region = regionOf(active);
    const { KMSClient, SignCommand, GetPublicKeyCommand } = await import("@aws-sdk/client-kms");
    const { keyResource: KeyId = "", kid = "" } = active;
    const { kmsEndpoint } = settings;
    const client = new KMSClient({
      region,
      credentials: await credentialsOf(active, project, region, settings),
      maxAttempts: 1,
      ...(kmsEndpoint === undefined ? {} : { endpoint: kmsEndpoint }),
    });
    return remoteSigner(
      {
        form: "der",
        describe: async (abortSignal) => {
          const command = new GetPublicKeyCommand({ KeyId });
          const { PublicKey, SigningAlgorithms = [] } = await client.send(command, { abortSignal });
          const alg = algorithmOf(SigningAlgorithms);
          const spki = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: "der", type: "spki" });
          return { alg, key: jwkOf(spki) };
        },
        signDigest: async (Message, alg, abortSignal) => {
          const command = new SignCommand({
            KeyId,
            Message,
            MessageType: "DIGEST",
            SigningAlgorithm: algorithms[alg],
          });
          const { Signature = new Uint8Array() } = await client.send(command, { abortSignal });
          return Signature;
        },
        classify,
        close: () => client.destroy(),
      },
      kid,
    );
  };
