import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { type AuditRecord, auditRecordSchema, auditRecordsWith } from "../../src/requests/audit-records.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { must } from "../../src/requests/must.ts";
import { type Process, startBeside } from "../../src/suites/start-beside.ts";

/** What `AUDIT_INPUT_PARAMS` and `AUDIT_VALUES` keep, on services beside the suite that differ from it in them alone. */
const hidden = "a-parameter-that-is-not-kept";
const captured = "a-value-that-is-kept";

let tenant: Tenant;
let auditor: Credentials;
const processes: Process[] = [];

const gatewayBefore = async (access: Process, capture: Process): Promise<string> => {
  const at = ({ port }: Process): string => `http://127.0.0.1:${port}`;
  const gateway = await startBeside("gateway", {
    UPSTREAM_CONFIGS: "http://127.0.0.1:1",
    UPSTREAM_CIQ: "http://127.0.0.1:1",
    UPSTREAM_ACCESS: at(access),
    UPSTREAM_CAPTURE: at(capture),
  });
  processes.push(access, capture, gateway);
  return at(gateway);
};

beforeAll(async () => {
  tenant = await createTenant("audit-settings");
  auditor = await createAgent(tenant.applicationId, ["Audit"]);
}, 60_000);
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await tenant?.remove();
});

/** The record of a request. */
const recordOf = async (type: string, request: string): Promise<AuditRecord> => {
  const found = (all: readonly AuditRecord[]) =>
    all.find((record) => record.type === type && record.request?.id === request);
  const records = await auditRecordsWith(tenant.projectId, auditor, (all) =>
    found(all) === undefined ? [request] : [],
  );
  const record = found(records);
  if (record === undefined) throw new Error(`no record of ${request}`);
  expect(auditRecordSchema.safeParse(record)).toMatchObject({ success: true });
  return record;
};

describe("settings of audit records", () => {
  it.each([
    ["hashes", { hint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
    ["none", undefined],
  ])(
    "AUDIT_INPUT_PARAMS=%s, AUDIT_VALUES=full",
    async (mode, kept) => {
      const base = await gatewayBefore(
        await startBeside("access", { AUDIT_INPUT_PARAMS: mode }),
        await startBeside("capture", { AUDIT_VALUES: "full" }),
      );
      const request = `settings-${mode}`;
      const sending = { base, headers: { "X-Request-ID": request } };
      const question = {
        subject: { type: "Person", id: "ann" },
        action: { name: "OPEN" },
        resource: { type: "Door", id: "d1" },
        context: { input_params: { hint: hidden } },
      };
      must(await withKey("/access/v1/evaluation", tenant, { ...sending, json: question }), 200);
      const ann = {
        type: "Person",
        external_id: "ann",
        properties: [{ type: "name", value: captured }],
      };
      must(await withKey("/capture/v1/nodes", tenant, { ...sending, json: { nodes: [ann] } }), 200);

      const decision = await recordOf("audit.authorization.evaluation", request);
      expect(decision.data["input_params"]).toEqual(kept);
      expect(JSON.stringify(decision)).not.toContain(hidden);
      const capture = await recordOf("audit.capture.upsert.node", request);
      expect(JSON.stringify(capture.data["values"])).toContain(captured);
    },
    120_000,
  );
});
