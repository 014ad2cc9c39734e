import { createServer } from "node:http";
import { type CloudKey, signDigest } from "./cloud-key.ts";
import { closing, type Handled, json, type KeyService, listening, withBody } from "./key-service.ts";

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

/** A key service whose resources may have keys of their own. */
export interface AwsService extends KeyService {
  /** Keys by the ARN that names them; every other ARN means `key`. */
  readonly keys: Map<string, CloudKey>;
}

/** AWS KMS and STS at one address: JSON 1.1 with SigV4, and a form that is answered by XML. */
export const startAws = async (key: CloudKey): Promise<AwsService> => {
  const handle: Handled = (request, response, body) => {
    const { mood } = service;
    if (mood === "silent") return;
    const [, identity = ""] = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "") ?? [];
    service.identities.add(identity);
    if (body.startsWith("Action=")) {
      const form = new URLSearchParams(body);
      service.calls.push(`AssumeRole ${form.get("RoleArn")} ${form.get("ExternalId")}`);
      response.writeHead(200, { "Content-Type": "text/xml" }).end(assumedRole);
      return;
    }
    const answer = (status: number, content: object): void =>
      json(response, status, "application/x-amz-json-1.1", content);
    if (mood !== "well") {
      answer(400, { __type: awsFaults[mood], message: "no" });
      return;
    }
    const target = String(request.headers["x-amz-target"]);
    const parameters = JSON.parse(body) as Record<string, string>; // as the SDK sends it
    service.calls.push(`${target} ${parameters["KeyId"]}`);
    const named = service.keys.get(parameters["KeyId"] ?? "") ?? service.key;
    const { alg } = named;
    if (target === "TrentService.GetPublicKey") {
      const spki = named.publicKey.export({ format: "der", type: "spki" });
      const also = alg === "PS256" ? [awsNames.RS256] : [];
      answer(200, {
        KeyId: parameters["KeyId"],
        PublicKey: spki.toString("base64"),
        SigningAlgorithms: [...also, awsNames[alg]],
      });
    } else if (parameters["SigningAlgorithm"] !== awsNames[alg] || parameters["MessageType"] !== "DIGEST")
      answer(400, { __type: "InvalidKeyUsageException" });
    else {
      const digest = Buffer.from(parameters["Message"] ?? "", "base64");
      answer(200, {
        KeyId: parameters["KeyId"],
        Signature: signDigest(named, digest, "der").toString("base64"),
        SigningAlgorithm: awsNames[alg],
      });
    }
  };
  const server = createServer(withBody(handle));
  const port = await listening(server);
  const service: AwsService = {
    address: `http://127.0.0.1:${port}`,
    mood: "well",
    key,
    keys: new Map(),
    calls: [],
    identities: new Set(),
    close: () => closing(server),
  };
  return service;
};
