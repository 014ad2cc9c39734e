import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metadata, ServiceError } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { crc32c } from "../../src/signing/providers/crc32c.ts";
import type { Certificate } from "./certificate.ts";
import { type CloudKey, signDigest } from "./cloud-key.ts";
import { type KeyService } from "./key-service.ts";

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

const grpcPair = ({ key, cert }: Certificate) => ({
  private_key: Buffer.from(key),
  cert_chain: Buffer.from(cert),
});

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
