import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent } from "../../../e2e/src/configuration/create-agent.ts";
import { createTenant, type Tenant } from "../../../e2e/src/configuration/tenant.ts";
import { freshName } from "../../../e2e/src/fresh-name.ts";
import {
  type AuditRecord,
  auditRecordSchema,
  auditRecordsWith,
} from "../../../e2e/src/requests/audit-records.ts";
import { openAdmin } from "../../../e2e/src/requests/clients.ts";
import { configs } from "../../../e2e/src/requests/configs.ts";
import type { Credentials } from "../../../e2e/src/requests/data-plane.ts";
import { tryEvaluate } from "../../../e2e/src/requests/evaluate.ts";
import { must } from "../../../e2e/src/requests/must.ts";
import { type OwnSuite, startOwnSuite } from "../../../e2e/src/suites/own-suite.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
import { type AwsService, startAws } from "./key-services/aws.ts";
import { newCloudKey } from "./key-services/cloud-key.ts";

const program = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const arn = (key: string): string => `arn:aws:kms:eu-central-1:111122223333:key/${key}`;
const role = "arn:aws:iam::111122223333:role/a-role-that-nobody-may-see";
const question = {
  subject: { type: "Person", id: "ann" },
  action: { name: "OPEN" },
  resource: { type: "Door", id: "d1" },
};

let aws: AwsService;
let suite: OwnSuite;
let tenant: Tenant;
let auditor: Credentials;

beforeAll(async () => {
  aws = await startAws(newCloudKey("ES256"));
  suite = await startOwnSuite(
    {},
    {
      audit: {
        AUDIT_AWS_KMS_ENDPOINT: aws.address,
        AUDIT_AWS_STS_ENDPOINT: aws.address,
        AWS_ACCESS_KEY_ID: "AKIATEST",
        AWS_SECRET_ACCESS_KEY: "deployment-secret",
        AUDIT_RETRY_MIN_MS: "100",
        AUDIT_RETRY_MAX_MS: "500",
      },
    },
  );
  tenant = await createTenant("signing");
  auditor = await createAgent(tenant.applicationId, ["Audit"]);
}, 240_000);
afterAll(async () => {
  await tenant?.remove();
  await suite?.close();
  await aws?.close();
});

const signing = (kid: string, key: string) => ({
  provider: "CUSTOMER_AWS_KMS" as const,
  key_resource: arn(key),
  kid,
  auth_params: { role_arn: role },
});
let decided = 0;
const decide = async (): Promise<void> => {
  expect(must(await tryEvaluate(question, tenant), 200)).toEqual({ decision: false });
  decided += 1;
};
const of = (records: readonly AuditRecord[], type: string): readonly AuditRecord[] =>
  records.filter((record) => record.type === type);
/** The records of the chain as soon as there are so many of a type. */
const recordsWith = (type: string, count = 1): Promise<readonly AuditRecord[]> =>
  auditRecordsWith(tenant.projectId, auditor, (all) => (of(all, type).length >= count ? [] : [type]));
const number = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> =>
  metricsIn(await suite.metrics("audit")).total(name, labels);

const verified = async (): Promise<{ readonly code: unknown; readonly output: string }> => {
  const child = spawn(process.execPath, [program, "audit", "verify", "--project", tenant.projectId], {
    env: { ...process.env, NODE_OPTIONS: "", IKG_URL: suite.gateway, IKG_CLIENT_KEY: auditor.key },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  return { code: await new Promise((resolve) => child.once("close", resolve)), output };
};

describe("a project that signs with a key of its own, through the gateway", () => {
  it("goes on with another key, while the key cannot sign, and when it can again", async () => {
    // What tells of the project itself is signed by the platform's key: the project's own comes after it.
    await auditRecordsWith(tenant.projectId, auditor, (all) => (all.length > 0 ? [] : ["any record"]));
    const { id } = await openAdmin().auditSignings.create({
      name: freshName("signing"),
      project_id: tenant.projectId,
      ...signing("one", "k1"),
    });
    await decide();
    await recordsWith("audit.signing.rotated");
    // Then nothing waits for a signature by the key that is replaced.
    await recordsWith("audit.authorization.evaluation");

    // What is still signed by the first name is signed by its key: when the change takes effect is not assumed.
    aws.keys.set(arn("k2"), newCloudKey("ES256"));
    must(await configs(`/audit-signings/${id}`, { method: "PUT", json: signing("two", "k2") }), 200);
    await decide();
    const rotated = of(await recordsWith("audit.signing.rotated", 2), "audit.signing.rotated");
    expect(rotated.map(({ actor, outcome, data }) => ({ actor, outcome, data }))).toEqual(
      ["one", "two"].map((kid) => ({
        actor: { type: "system", id: "audit" },
        outcome: "success",
        data: { config_id: id, provider: "CUSTOMER_AWS_KMS", kid },
      })),
    );
    // A name that has signed never means another key.
    const reused = await configs(`/audit-signings/${id}`, { method: "PUT", json: signing("one", "k3") });
    expect(reused.status).toBe(422);

    aws.mood = "denies";
    for (let times = 0; times < 20; times++) await decide();
    // A batch is tried when it is due, and the numbers are set once a second: how soon is the machine's matter.
    const isSeen = { withinMs: 60_000, everyMs: 100 };
    const denied = () => number("ikg_audit_signing_failures_total", { reason: "access_denied" });
    await eventually(denied, (count) => count > 0, isSeen);
    await eventually(
      () => number("audit_signing_pending_seconds"),
      (seconds) => seconds > 0,
      isSeen,
    );
    aws.mood = "well";
    const records = await recordsWith("audit.authorization.evaluation", decided);
    expect(of(records, "audit.signing.failed")).toMatchObject([
      { outcome: "failed", data: { config_id: id, kid: "two", reason: "access_denied" } },
    ]);
    expect(of(records, "audit.signing.recovered")).toMatchObject([{ data: { config_id: id, kid: "two" } }]);

    for (const record of records)
      expect(auditRecordSchema.safeParse(record)).toMatchObject({ success: true });
    const text = JSON.stringify(records);
    for (const secret of ["a-role-that-nobody-may-see", "deployment-secret", "assumed-secret"])
      expect(text).not.toContain(secret);
    expect(await verified()).toEqual({ code: 0, output: expect.stringContaining("Verified: ") });
    await openAdmin().auditSignings.delete(id);
  }, 180_000);
});
