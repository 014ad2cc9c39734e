import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Checkpoint } from "@ikg/audit";
import type { ActiveSigning } from "../src/signing/active-signing.ts";
import { openAwsKms } from "../src/signing/providers/aws-kms.ts";
import { openAzureKeyVault } from "../src/signing/providers/azure-key-vault.ts";
import { crc32c } from "../src/signing/providers/crc32c.ts";
import { openGcpKms } from "../src/signing/providers/gcp-kms.ts";
import { joseFormOf } from "../src/signing/providers/remote-key.ts";
import type { Signer } from "../src/signing/signer.ts";
import { signArtefact } from "../src/writer/sign.ts";
import { startAws } from "./key-services/aws.ts";
import { startAzure } from "./key-services/azure.ts";
import { newCertificate } from "./key-services/certificate.ts";
import { type KeyAlgorithm, newCloudKey } from "./key-services/cloud-key.ts";
import { startGcp } from "./key-services/gcp.ts";
import { startGoogleIdentity } from "./key-services/google-identity.ts";
import { type KeyService, type Mood } from "./key-services/key-service.ts";

const project = "gid:AAAAAgGQAAAAAHAAgAAAAAAAAAE";
const kid = "customers-key";
const before = getCACertificates("default");
const certificate = newCertificate();

interface Cloud {
  readonly service: KeyService;
  readonly algorithms: readonly KeyAlgorithm[];
  open(): Promise<Signer>;
}

const clouds = new Map<string, Cloud>();
const active = (
  provider: ActiveSigning["provider"],
  keyResource: string,
  authParams: ActiveSigning["authParams"],
): ActiveSigning => ({ configId: "gid:config", version: 1, provider, keyResource, kid, authParams });

const arn = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const role = "arn:aws:iam::111122223333:role/audit";
const version = "projects/p/locations/europe-west3/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1";

beforeAll(async () => {
  // The identity of the deployment itself, where the SDK looks for it.
  process.env["AWS_ACCESS_KEY_ID"] = "AKIATEST";
  process.env["AWS_SECRET_ACCESS_KEY"] = "deployment-secret";
  process.env["METADATA_SERVER_DETECTION"] = "none";
  setDefaultCACertificates([...before, certificate.cert]);
  const aws = await startAws(newCloudKey("ES256"));
  clouds.set("AWS", {
    service: aws,
    algorithms: ["ES256", "ES384", "PS256", "RS256"],
    open: () =>
      openAwsKms({ kmsEndpoint: aws.address, stsEndpoint: aws.address })(
        active("CUSTOMER_AWS_KMS", arn, { role_arn: role }),
        project,
      ),
  });
  const gcp = await startGcp(newCloudKey("ES256"));
  clouds.set("Google", {
    service: gcp,
    algorithms: ["ES256", "ES384", "PS256", "RS256"],
    open: () =>
      openGcpKms({ kmsEndpoint: gcp.address, iamEndpoint: undefined })(
        active("CUSTOMER_GCP_KMS", version, {}),
      ),
  });
  const azure = await startAzure(newCloudKey("ES256"), certificate);
  clouds.set("Azure", {
    service: azure,
    // An RSA key of a vault says nothing of PKCS #1: PSS is taken.
    algorithms: ["ES256", "ES384", "PS256"],
    open: () =>
      openAzureKeyVault({ hostSuffixes: ["localhost"], authorityHost: azure.address })(
        active("CUSTOMER_AZURE_KEY_VAULT", `${azure.address}/keys/k/0123456789abcdef0123456789abcdef`, {
          tenant_id: "11111111-1111-1111-1111-111111111111",
          client_id: "22222222-2222-2222-2222-222222222222",
          client_secret: azure.clientSecret,
        }),
      ),
  });
}, 60_000);
afterAll(async () => {
  setDefaultCACertificates(before);
  for (const { service } of clouds.values()) await service.close();
});

const cloudOf = (name: string): Cloud => {
  const cloud = clouds.get(name);
  if (cloud === undefined) throw new Error(`no cloud ${name}`);
  return cloud;
};

/** Signs as the writer does, which verifies what comes back. */
const sign = async (signer: Signer): Promise<Checkpoint> => {
  const jwk = await signer.publicKey();
  const unsigned = {
    checkpoint_id: "c1",
    project_id: project,
    sequence: 1,
    head_hash: "0".repeat(64),
    created_at: "2026-06-01T00:00:00.000Z",
    kid: jwk.kid,
    alg: jwk.alg,
  };
  const registered = { jwk, provider: "test", keyResource: undefined };
  return signArtefact<Checkpoint>("checkpoint", unsigned, {
    active: active("CUSTOMER_AWS_KMS", "", {}),
    registered,
    signer,
  });
};

const withSigner = async <T>(name: string, work: (signer: Signer) => Promise<T>): Promise<T> => {
  const signer = await cloudOf(name).open();
  try {
    return await work(signer);
  } finally {
    signer.close();
  }
};

describe.each(["AWS", "Google", "Azure"])("a key in the cloud of %s", (name) => {
  it("signs by each of its algorithms what a reader can verify", async () => {
    const { service, algorithms } = cloudOf(name);
    for (const alg of algorithms) {
      service.key = newCloudKey(alg);
      const checkpoint = await withSigner(name, sign);
      expect([checkpoint.alg, checkpoint.kid]).toEqual([alg, kid]);
    }
  }, 60_000);

  it("asks for the public key once, and for each signature anew", async () => {
    const { service } = cloudOf(name);
    service.key = newCloudKey("ES256");
    service.calls.length = 0;
    await withSigner(name, async (signer) => {
      // Signatures of ECDSA differ in length as DER, and never in the fixed form.
      for (let times = 0; times < 40; times++) await sign(signer);
    });
    expect(service.calls.filter((what) => /sign/i.test(what))).toHaveLength(40);
  }, 60_000);

  it.each<[Mood, string]>([
    ["denies", "access_denied"],
    ["disabled", "access_denied"],
    ["throttles", "throttled"],
    ["missing", "not_found"],
    ["silent", "unavailable"],
  ])(
    "that %s is a failure of a known class, and signs again afterwards",
    async (mood, reason) => {
      const { service } = cloudOf(name);
      await withSigner(name, async (signer) => {
        await sign(signer);
        service.mood = mood;
        try {
          const began = performance.now();
          await expect(sign(signer)).rejects.toMatchObject({ name: "SigningFault", reason });
          expect(performance.now() - began).toBeLessThan(15_000);
        } finally {
          service.mood = "well";
        }
        await sign(signer);
      });
    },
    60_000,
  );

  it("that became another one under the same address is not signed with", async () => {
    const { service } = cloudOf(name);
    await withSigner(name, async (signer) => {
      await sign(signer);
      service.key = newCloudKey("ES256");
      await expect(sign(signer)).rejects.toMatchObject({ reason: "unsupported_key" });
    });
  }, 60_000);
});

describe("what is particular to a cloud", () => {
  it("AWS: the role is assumed with the project as external id, and signs by itself", async () => {
    const { service } = cloudOf("AWS");
    service.calls.length = 0;
    service.identities.clear();
    await withSigner("AWS", sign);
    expect(service.calls).toEqual([
      `AssumeRole ${role} ${project}`,
      `TrentService.GetPublicKey ${arn}`,
      `TrentService.Sign ${arn}`,
    ]);
    expect([...service.identities].toSorted()).toEqual(["AKIATEST", "ASIATEST"]);
  });

  it("AWS: an external id begins with the gid of the project, and the host that is called cannot be chosen", async () => {
    const { service } = cloudOf("AWS");
    const open = (authParams: ActiveSigning["authParams"]) =>
      openAwsKms({ kmsEndpoint: service.address, stsEndpoint: service.address })(
        active("CUSTOMER_AWS_KMS", arn, { role_arn: role, ...authParams }),
        project,
      );
    service.calls.length = 0;
    const signer = await open({ external_id: `${project}/2026` });
    try {
      await sign(signer);
    } finally {
      signer.close();
    }
    expect(service.calls[0]).toBe(`AssumeRole ${role} ${project}/2026`);
    await expect(open({ external_id: "another project" })).rejects.toMatchObject({ reason: "access_denied" });
    await expect(open({ region: "internal.example/#" })).rejects.toMatchObject({ reason: "not_found" });
  });

  it("Azure: hosts that are no vaults are not called, nor credentials that are refused used", async () => {
    const open = openAzureKeyVault({ hostSuffixes: [], authorityHost: undefined });
    for (const address of [
      "https://internal.example/keys/k/0",
      "http://v.vault.azure.net/keys/k/0",
      "https://v.vault.azure.net.evil.example/keys/k/0",
      "https://v.vault.azure.net/secrets/k",
    ])
      await expect(open(active("CUSTOMER_AZURE_KEY_VAULT", address, {}))).rejects.toMatchObject({
        reason: "not_found",
      });
    const { address } = cloudOf("Azure").service;
    const wrong = await openAzureKeyVault({ hostSuffixes: ["localhost"], authorityHost: address })(
      active("CUSTOMER_AZURE_KEY_VAULT", `${address}/keys/k/0`, {
        tenant_id: "11111111-1111-1111-1111-111111111111",
        client_id: "22222222-2222-2222-2222-222222222222",
        client_secret: "a-wrong-secret",
      }),
    );
    const refused = wrong.publicKey();
    await expect(refused).rejects.toMatchObject({ reason: "access_denied" });
    await expect(refused).rejects.not.toThrow("a-wrong-secret");
  }, 30_000);

  it("Google: the account of the customer is impersonated, for 15 minutes and for its keys alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ikg-google-"));
    const identity = await startGoogleIdentity(certificate);
    const service = await startGcp(newCloudKey("ES256"), { certificate, token: identity.accountToken });
    const account = "signer@customer.iam.gserviceaccount.com";
    const open = () =>
      openGcpKms({ kmsEndpoint: service.address, iamEndpoint: identity.address })(
        active("CUSTOMER_GCP_KMS", version, { impersonate_service_account: account }),
      );
    try {
      const [tokenFile, file] = [join(folder, "token"), join(folder, "credentials.json")];
      await writeFile(tokenFile, identity.subjectToken);
      await writeFile(file, JSON.stringify(identity.credentials(tokenFile)));
      process.env["GOOGLE_APPLICATION_CREDENTIALS"] = file;
      const signer = await open();
      for (let times = 0; times < 3; times++) await sign(signer);
      signer.close();
      // Both tokens are used for as long as they last.
      expect(identity.calls).toEqual([
        "exchange https://www.googleapis.com/auth/cloud-platform",
        `/v1/projects/-/serviceAccounts/${account}:generateAccessToken https://www.googleapis.com/auth/cloudkms 900s`,
      ]);
      expect(service.calls.filter((what) => what.startsWith("asymmetricSign"))).toHaveLength(3);

      identity.mayImpersonate = false;
      const refused = await open();
      await expect(refused.publicKey()).rejects.toMatchObject({ reason: "access_denied" });
      identity.mayImpersonate = true;
      expect((await sign(refused)).kid).toBe(kid);
      refused.close();

      // The workload's own token is no longer one.
      await writeFile(tokenFile, "somebody-else");
      const unknown = await open();
      await expect(unknown.publicKey()).rejects.toMatchObject({ reason: "access_denied" });
      unknown.close();
    } finally {
      delete process.env["GOOGLE_APPLICATION_CREDENTIALS"];
      await Promise.all([identity.close(), service.close(), rm(folder, { recursive: true })]);
    }
  }, 60_000);

  it("Google: the checksum is that of RFC 3720", () => {
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
  });

  it("takes signatures in DER apart, short integers and long ones", () => {
    const der = (r: string, s: string) => {
      const integer = (hex: string) =>
        Buffer.concat([Buffer.from([2, hex.length / 2]), Buffer.from(hex, "hex")]);
      const body = Buffer.concat([integer(r), integer(s)]);
      return Buffer.concat([Buffer.from([0x30, body.length]), body]);
    };
    const fixed = joseFormOf(der("01", `00${"ff".repeat(32)}`), "ES256");
    expect(Buffer.from(fixed).toString("hex")).toBe(`${"00".repeat(31)}01${"ff".repeat(32)}`);
    expect(() => joseFormOf(Buffer.from("hello"), "ES256")).toThrow("DER");
    expect(() => joseFormOf(der("01".repeat(40), "01"), "ES256")).toThrow("DER");
  });
});
