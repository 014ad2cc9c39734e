import { setTimeout as wait } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { recordSchemas, streamKey } from "@ikg/audit";
import type { Gid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
import { freePort } from "../../../stack/src/ports.ts";
import {
  namesOf,
  openTestBed,
  type StoredChain,
  type TestBed,
  type TestSigning,
  verify,
  waitLimits,
} from "./audit-under-test.ts";
import { startAws } from "./key-services/aws.ts";
import { startAzure } from "./key-services/azure.ts";
import { newCertificate } from "./key-services/certificate.ts";
import { newCloudKey } from "./key-services/cloud-key.ts";
import { startGcp } from "./key-services/gcp.ts";
import { type KeyService } from "./key-services/key-service.ts";

/** How long nothing can be signed. */
const outageMs = isLongRun() ? 60_000 : 3_000;
const before = getCACertificates("default");
const arn = (key: string): string => `arn:aws:kms:eu-central-1:111122223333:key/${key}`;

let bed: TestBed;
let variables: Readonly<Record<string, string>>;
let url: string;
let metricsUrl: string;
let aws: KeyService;
let gcp: KeyService;
let azure: Awaited<ReturnType<typeof startAzure>>;
let project: Gid;

beforeAll(async () => {
  process.env["AWS_ACCESS_KEY_ID"] = "AKIATEST";
  process.env["AWS_SECRET_ACCESS_KEY"] = "deployment-secret";
  process.env["METADATA_SERVER_DETECTION"] = "none";
  const certificate = newCertificate();
  setDefaultCACertificates([...before, certificate.cert]);
  [aws, gcp, azure] = await Promise.all([
    startAws(newCloudKey("ES256")),
    startGcp(newCloudKey("ES384")),
    startAzure(newCloudKey("PS256"), certificate),
  ]);
  bed = await openTestBed();
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  variables = {
    AUDIT_AWS_KMS_ENDPOINT: aws.address,
    AUDIT_AWS_STS_ENDPOINT: aws.address,
    AUDIT_GCP_KMS_ENDPOINT: gcp.address,
    AUDIT_AZURE_ALLOWED_HOST_SUFFIXES: "localhost",
    AUDIT_AZURE_AUTHORITY_HOST: azure.address,
  };
  ({ url } = await bed.start({ ...variables, METRICS_PORT: String(metricsPort) }));
}, 60_000);
afterAll(async () => {
  setDefaultCACertificates(before);
  await bed.close();
  for (const service of [aws, gcp, azure]) await service.close();
});
beforeEach(() => {
  project = bed.project();
  for (const service of [aws, gcp, azure]) service.mood = "well";
});

const ofAws = (kid: string, key = "k"): TestSigning => ({
  provider: "CUSTOMER_AWS_KMS",
  keyResource: arn(key),
  kid,
  authParams: { role_arn: "arn:aws:iam::111122223333:role/a-secret-role" },
});
const ofGcp: TestSigning = {
  provider: "CUSTOMER_GCP_KMS",
  keyResource: "projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1",
  kid: "google",
};
const ofAzure = (): TestSigning => ({
  provider: "CUSTOMER_AZURE_KEY_VAULT",
  keyResource: `${azure.address}/keys/k/0123456789abcdef0123456789abcdef`,
  kid: "azure",
  authParams: {
    tenant_id: "11111111-1111-1111-1111-111111111111",
    client_id: "22222222-2222-2222-2222-222222222222",
    client_secret: azure.clientSecret,
  },
});

const chainOf = (records: number): Promise<StoredChain> =>
  bed.chainWith(url, project, (names) => names.length >= records);
const kidsOf = (chain: StoredChain): readonly string[] => chain.manifests.map(({ kid }) => kid);
const eventsOf = (chain: StoredChain, type: string) =>
  chain.batches.flatMap(({ data }) => data.filter((event) => event["type"] === type));
const number = async (
  name:
    | "audit_signing_pending_seconds"
    | "ikg_audit_records_waiting"
    | "ikg_audit_bytes_waiting"
    | "ikg_audit_spilled_bytes",
): Promise<number> => metricsIn(await (await fetch(metricsUrl)).text()).total(name);

describe("records of projects that sign with keys of their own", () => {
  it("are one chain across the platform's key and those of three clouds", async () => {
    await bed.emit(project, ["platform"]);
    await chainOf(1);
    const id = await bed.configure(project, ofAws("amazon"));
    await bed.emit(project, ["amazon"]);
    await chainOf(3);
    await bed.configure(project, ofGcp, id);
    await bed.emit(project, ["google"]);
    await chainOf(5);
    await bed.configure(project, ofAzure(), id);
    await bed.emit(project, ["azure"]);
    const chain = await chainOf(7);
    const rotated = "audit.signing.rotated";
    expect(namesOf(chain)).toEqual(["platform", rotated, "amazon", rotated, "google", rotated, "azure"]);
    expect(kidsOf(chain).slice(1)).toEqual(["amazon", "google", "azure"]);
    expect(chain.manifests.map(({ alg }) => alg)).toEqual(["ES256", "ES256", "ES384", "PS256"]);
    // Every key stays known, also of providers that are no longer asked.
    expect(chain.keys.keys).toHaveLength(4);
    expect((await verify(chain)).failed).toEqual([]);
    for (const event of eventsOf(chain, rotated))
      expect(recordSchemas["audit.signing.rotated"].safeParse(event)).toMatchObject({ success: true });
    const text = JSON.stringify(chain);
    for (const secret of ["a-secret-role", azure.clientSecret, "deployment-secret"])
      expect(text).not.toContain(secret);
  }, 60_000);

  it("are signed by the configuration that was updated last, and by the one before when that goes", async () => {
    await bed.configure(project, ofAws("older", "older"));
    await wait(5);
    const newer = await bed.configure(project, ofGcp);
    await bed.emit(project, ["one"]);
    await chainOf(1);
    await bed.unconfigure(newer);
    await bed.emit(project, ["two"]);
    const chain = await chainOf(3);
    expect(kidsOf(chain)).toEqual(["google", "older"]);
    expect((await verify(chain)).failed).toEqual([]);
  }, 60_000);

  it("wait while a name that has signed means another key, and are signed under a new name", async () => {
    const id = await bed.configure(project, ofAws("mine"));
    await bed.emit(project, ["one"]);
    await chainOf(1);
    aws.key = newCloudKey("ES256");
    // Another version of the configuration: the key is requested again.
    await bed.configure(project, ofAws("mine"), id);
    await bed.emit(project, ["two"]);
    await eventually(
      () => bed.redis.xlen(streamKey(project)),
      (length) => length >= 2,
      waitLimits,
    );
    await wait(300);
    expect(namesOf(await bed.read(url, project))).toEqual(["one"]);
    await bed.configure(project, ofAws("mine-2"), id);
    const chain = await chainOf(5);
    expect(kidsOf(chain)).toEqual(["mine", "mine-2"]);
    expect(eventsOf(chain, "audit.signing.failed")[0]).toMatchObject({
      data: { reason: "kid_reused", kid: "mine", provider: "CUSTOMER_AWS_KMS", config_id: id },
    });
    expect((await verify(chain)).failed).toEqual([]);
  }, 60_000);

  it("see that an alias leads to another key now", async () => {
    await bed.configure(project, ofAws("alias"));
    await bed.emit(project, ["one"]);
    await chainOf(1);
    const former = aws.key;
    aws.key = newCloudKey("ES256");
    await bed.emit(project, ["two"]);
    await wait(1_000);
    expect(namesOf(await bed.read(url, project))).toEqual(["one"]);
    aws.key = former;
    const chain = await chainOf(4);
    expect(namesOf(chain)).toEqual(["one", "audit.signing.recovered", "two", "audit.signing.failed"]);
    expect((await verify(chain)).failed).toEqual([]);
  }, 60_000);

  it(
    `are signed in order after ${outageMs / 1_000} s in which the key was revoked`,
    async () => {
      const id = await bed.configure(project, ofAws("revoked"));
      await bed.emit(project, ["before"]);
      await chainOf(1);
      aws.mood = "denies";
      const all: string[] = [];
      for (const until = Date.now() + outageMs; Date.now() < until; await wait(outageMs / 60)) {
        const more = Array.from({ length: 10 }, (_, index) => String(all.length + index));
        all.push(...more);
        // Traffic goes on: records are kept as ever.
        await bed.emit(project, more);
      }
      expect(namesOf(await bed.read(url, project))).toEqual(["before"]);
      expect(await number("audit_signing_pending_seconds")).toBeGreaterThan(1);
      // What does not fit Redis waits in the database.
      expect(await number("ikg_audit_records_waiting")).toBeGreaterThan(0);
      const inRedis = await number("ikg_audit_bytes_waiting");
      const inDatabase = await number("ikg_audit_spilled_bytes");
      expect(inRedis + inDatabase).toBeGreaterThan(all.length * 100);
      aws.mood = "well";
      const chain = await chainOf(all.length + 3);
      const names = namesOf(chain);
      expect(names.filter((name) => !name.startsWith("audit."))).toEqual(["before", ...all]);
      expect(names.indexOf("audit.signing.recovered")).toBe(1);
      // Other reported events are in a batch as well.
      expect(Math.max(...chain.batches.map(({ data }) => data.length))).toBeLessThanOrEqual(256);
      expect(eventsOf(chain, "audit.signing.failed")).toMatchObject([
        { outcome: "failed", data: { reason: "access_denied", config_id: id } },
      ]);
      expect(eventsOf(chain, "audit.signing.recovered")).toHaveLength(1);
      for (const type of ["audit.signing.failed", "audit.signing.recovered"] as const)
        for (const event of eventsOf(chain, type))
          expect(recordSchemas[type].safeParse(event)).toMatchObject({ success: true });
      expect((await verify(chain)).failed).toEqual([]);
      for (const name of [
        "audit_signing_pending_seconds",
        "ikg_audit_records_waiting",
        "ikg_audit_bytes_waiting",
        "ikg_audit_spilled_bytes",
      ] as const)
        await eventually(
          () => number(name),
          (value) => value === 0,
          waitLimits,
        );
      // A key that can sign no more is never replaced by another one.
      expect(new Set(kidsOf(chain))).toEqual(new Set(["revoked"]));
    },
    outageMs + 120_000,
  );

  it("tell once of an outage and of its end, whichever writers come and go meanwhile", async () => {
    await bed.configure(project, ofAws("taken-over"));
    await bed.emit(project, ["before"]);
    await chainOf(1);
    aws.mood = "denies";
    await bed.emit(project, ["meanwhile"]);
    const text =
      "MATCH (c:_AuditChain {project_id: $project}) RETURN c.failing_since AS since, c.fence AS fence";
    const state = async () => {
      const [row] = await bed.run(text, { project });
      return { since: row?.["since"] ?? undefined, fence: Number(row?.["fence"]) };
    };
    const first = await eventually(state, ({ since }) => since !== undefined, waitLimits);
    const second = await bed.start(variables);
    const taken = await eventually(
      async () => {
        // The writer that looks first after this has the chain.
        await bed.redis.del(`audit:writer:${project}`);
        return state();
      },
      ({ fence }) => fence > first.fence + 2,
      waitLimits,
    );
    expect(taken.since).toBe(first.since);
    aws.mood = "well";
    const chain = await chainOf(4);
    await second.close();
    expect(namesOf(chain)).toEqual([
      "before",
      "audit.signing.recovered",
      "meanwhile",
      "audit.signing.failed",
    ]);
    expect((await verify(chain)).failed).toEqual([]);
  }, 60_000);

  it("are signed by the platform's key when the configuration is deleted: the way out", async () => {
    const id = await bed.configure(project, ofAws("lost"));
    aws.mood = "missing";
    await bed.emit(project, ["one"]);
    await wait(500);
    expect(namesOf(await bed.read(url, project))).toEqual([]);
    await bed.unconfigure(id);
    const chain = await chainOf(3);
    expect(namesOf(chain)).toEqual(["audit.signing.recovered", "one", "audit.signing.failed"]);
    expect(eventsOf(chain, "audit.signing.failed")[0]).toMatchObject({ data: { reason: "not_found" } });
    expect((await verify(chain)).failed).toEqual([]);
  }, 60_000);
});
