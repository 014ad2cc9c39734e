import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { ownAccount } from "../../src/requests/configs.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { expectRefusal } from "../../src/requests/envelope.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { must } from "../../src/requests/must.ts";
import { type Answer, send } from "../../src/requests/send.ts";

const program = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));

/** A batch waits for 5 s for more records, and is then written and signed. */
const keptLimits = { withinMs: 60_000, everyMs: 500 };

interface Kept {
  readonly type: string;
  readonly outcome: string;
  readonly request?: { readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}
interface Logs {
  readonly items: readonly { readonly data: readonly Kept[] }[];
}

let tenant: Tenant;
let auditor: Credentials;
let policyId: string;
/** A project that is removed before the tests: its records are kept while the first test waits for those of the tenant. */
let removed: Tenant;
/** What the auditor of the tenant was answered about the other project, which was still there. */
let foreignLogs: Answer;

const logs = (project: string, by: Credentials = auditor) =>
  withKey(`/audit/v1/logs?project_id=${encodeURIComponent(project)}`, by);

beforeAll(async () => {
  tenant = await createTenant("audit");
  auditor = await createAgent(tenant.applicationId, ["Audit"]);
  policyId = await savePolicy(tenant.projectId, ownersMay("OPEN"));
  removed = await createTenant("audit-gone");
  try {
    foreignLogs = await logs(removed.projectId);
  } finally {
    await removed.remove();
  }
});
afterAll(() => tenant?.remove());

/** The records of the project as soon as one is of this type. */
const recordsWith = (type: string): Promise<readonly Kept[]> =>
  eventually(
    async () => must<Logs>(await logs(tenant.projectId), 200).items.flatMap((batch) => batch.data),
    (kept) => kept.some((record) => record.type === type),
    keptLimits,
  );

describe("audit records", () => {
  it("tell of changes and decisions, denials too, in a chain that verifies from outside", async () => {
    const question = {
      subject: { type: "Person", id: "ann" },
      action: { name: "OPEN" },
      resource: { type: "Door", id: "d1" },
    };
    expect(await evaluate(question, tenant)).toEqual({ decision: false });
    const kept = await recordsWith("audit.authorization.evaluation");
    expect(kept.find(({ type }) => type === "audit.authorization.evaluation")).toMatchObject({
      outcome: "denied",
      data: {
        subject: { type: "Person", id: "ann" },
        action: "OPEN",
        resource: { type: "Door", id: "d1" },
        tried: [{ id: policyId }],
        decision: false,
      },
    });
    expect(kept.map(({ type }) => type)).toContain("audit.config.create");
    expect(JSON.stringify(kept)).not.toContain(tenant.key);

    const verify = spawn(process.execPath, [program, "audit", "verify", "--project", tenant.projectId], {
      env: {
        ...process.env,
        NODE_OPTIONS: "",
        IKG_URL: environment().base_url,
        IKG_CLIENT_KEY: auditor.key,
      },
    });
    let output = "";
    verify.stdout.on("data", (data: Buffer) => (output += data.toString()));
    verify.stderr.on("data", (data: Buffer) => (output += data.toString()));
    const code = await new Promise((resolve) => verify.once("close", resolve));
    expect([code, output]).toEqual([0, expect.stringContaining("Verified: ")]);
  }, 120_000);

  it("are read by keys that may, of their own project alone", async () => {
    const refusal = { status: 403, message: "permission missing: Audit" };
    expectRefusal(await logs(tenant.projectId, tenant), refusal);
    expect(foreignLogs.status).toBe(403);
    expect((await withKey("/audit/v1/logs", auditor)).status).toBe(400);
    expect((await send("/audit/v1/logs")).status).toBe(401);
  });

  it("are read by service accounts of the organization", async () => {
    const { token } = ownAccount();
    const headers = { Authorization: `Bearer ${token}` };
    const path = `/audit/v1/manifests?project_id=${encodeURIComponent(tenant.projectId)}`;
    expect((await send(path, { headers })).status).toBe(200);
  });

  it("are verified with keys that are public", async () => {
    const path = `/audit/.well-known/jwks.json?project_id=${encodeURIComponent(tenant.projectId)}`;
    const answer = await send(path);
    const { keys } = must<{ keys: readonly Record<string, unknown>[] }>(answer, 200);
    expect(answer.headers.get("cache-control")).toBe("max-age=300");
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).not.toHaveProperty("d");
      expect(key).toMatchObject({ kid: expect.any(String), alg: "ES256", use: "sig" });
    }
  });

  it("outlive their project, for the service accounts of its organization", async () => {
    const headers = { Authorization: `Bearer ${ownAccount().token}` };
    const whose = `project_id=${encodeURIComponent(removed.projectId)}`;
    const removals = async () => {
      const answer = await send(`/audit/v1/logs?${whose}`, { headers });
      // Whose a project was that went before its first batch was stored is not known for a moment.
      const kept = answer.status === 403 ? [] : must<Logs>(answer, 200).items.flatMap((batch) => batch.data);
      return kept.filter(({ type }) => type === "audit.config.delete");
    };
    await eventually(removals, (all) => all.some(({ data }) => data["id"] === removed.projectId), keptLimits);
    const { keys } = must<{ keys: readonly unknown[] }>(
      await send(`/audit/.well-known/jwks.json?${whose}`),
      200,
    );
    expect(keys.length).toBeGreaterThan(0);
    expect((await logs(removed.projectId, removed)).status).toBe(401);
  }, 120_000);
});
