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

/** Who may call Google Cloud KMS, if it authenticates: over TLS, with the token of an identity. */
export interface Guard {
  readonly certificate: Certificate;
  readonly token: string;
}

const grpcPair = ({ key, cert }: Certificate) => ({
  private_key: Buffer.from(key),
  cert_chain: Buffer.from(cert),
});

const loadGrpc = async () => {
  // Read once, when gRPC is loaded: roots that a machine names for it do not know the certificates of tests.
  delete process.env["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"];
  const grpc = await import("@grpc/grpc-js");
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
  const loaded = grpc.loadPackageDefinition(definition) as never as {
    google: { cloud: { kms: { v1: { KeyManagementService: { service: never } } } } };
  }; // as the file says
  return { grpc, service: loaded.google.cloud.kms.v1.KeyManagementService.service };
};

type Work = (key: CloudKey, request: GrpcCall["request"]) => object;

const getPublicKey: Work = ({ publicKey, alg }, { name }) => {
  const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
  return { name, pem, algorithm: gcpNames[alg], pemCrc32c: { value: String(crc32c(Buffer.from(pem))) } };
};

const asymmetricSign: Work = (key, { name, digest, digestCrc32c }) => {
  const made = digest as Record<string, Buffer>; // one of its members is set
  const bytes = made[key.alg === "ES384" ? "sha384" : "sha256"] ?? Buffer.alloc(0);
  const sent = Number((digestCrc32c as { value: string }).value);
  const signature = signDigest(key, bytes, "der");
  return {
    name,
    signature,
    signatureCrc32c: { value: String(crc32c(signature)) },
    verifiedDigestCrc32c: sent === crc32c(bytes),
  };
};

/** Google Cloud KMS: gRPC, by the vendor's own proto files. */
export const startGcp = async (key: CloudKey, guard?: Guard): Promise<KeyService> => {
  const {
    grpc: { Server, ServerCredentials, status },
    service: definition,
  } = await loadGrpc();
  const faults = {
    denies: status.PERMISSION_DENIED,
    throttles: status.RESOURCE_EXHAUSTED,
    disabled: status.FAILED_PRECONDITION,
    missing: status.NOT_FOUND,
  } as const;
  const server = new Server();
  const guarded =
    (method: string, work: Work) =>
    ({ request, metadata }: GrpcCall, answer: GrpcAnswer): void => {
      const { mood } = service;
      if (mood === "silent") return;
      if (guard !== undefined && String(metadata.get("authorization")) !== `Bearer ${guard.token}`) {
        answer({ code: status.UNAUTHENTICATED, details: "no" });
        return;
      }
      service.calls.push(`${method} ${String(request["name"])}`);
      if (mood !== "well") answer({ code: faults[mood], details: "no" });
      else answer(null, work(service.key, request));
    };
  server.addService(definition, {
    getPublicKey: guarded("getPublicKey", getPublicKey),
    asymmetricSign: guarded("asymmetricSign", asymmetricSign),
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
    calls: [],
    identities: new Set(),
    close: async () => server.forceShutdown(),
  };
  return service;
};
