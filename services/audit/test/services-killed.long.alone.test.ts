import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent } from "../../../e2e/src/configuration/create-agent.ts";
import { createTenant, type Tenant } from "../../../e2e/src/configuration/tenant.ts";
import { long } from "../../../e2e/src/long.ts";
import { auditRecordsWith } from "../../../e2e/src/requests/audit-records.ts";
import { type Credentials, withKey } from "../../../e2e/src/requests/data-plane.ts";
import { type OwnSuite, startOwnSuite } from "../../../e2e/src/suites/own-suite.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";

const program = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const kills = long(4, 50);
const callers = 6;
/** Who is killed, in turn: who answers, who stores, and who stands before them. */
const victims = ["access", "audit", "capture", "gateway"] as const;

let suite: OwnSuite;
let tenant: Tenant;
let auditor: Credentials;

beforeAll(async () => {
  // What is proved is that no answer comes without its record, not how long it waits on a busy machine.
  suite = await startOwnSuite(
    { AUDIT_DEADLINE_MS: "10000" },
    { gateway: { CIRCUIT_RESET_MS: "100" }, audit: { AUDIT_LEASE_MS: "500" } },
  );
  tenant = await createTenant("killed");
  auditor = await createAgent(tenant.applicationId, ["Audit"]);
}, 240_000);
afterAll(async () => {
  await tenant?.remove();
  await suite?.close();
});

interface Acknowledged {
  readonly request: string;
  readonly type: string;
}

/** A decision or a capture. @returns whether it was answered as done */
const ask = async (request: string, isDecision: boolean): Promise<boolean> => {
  const headers = { "X-Request-ID": request };
  const node = { type: "Person", external_id: request };
  try {
    const { status } = await (isDecision
      ? withKey("/access/v1/evaluation", tenant, {
          headers,
          json: {
            subject: { type: "Person", id: request },
            action: { name: "OPEN" },
            resource: { type: "Door", id: "d1" },
          },
        })
      : withKey("/capture/v1/nodes", tenant, { headers, json: { nodes: [node] } }));
    return status === 200;
  } catch {
    // No process is there; what was asked may have happened or not.
    return false;
  }
};

describe(`services that are killed ${kills} times under load`, () => {
  it(
    "answer no request whose record is not in the chain",
    async () => {
      const acknowledged: Acknowledged[] = [];
      const over = new AbortController();
      let requestCount = 0;
      const caller = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const number = requestCount++;
          const [request, isDecision] = [`request-${number}`, number % 2 === 0];
          const type = isDecision ? "audit.authorization.evaluation" : "audit.capture.upsert.node";
          if (await ask(request, isDecision)) acknowledged.push({ request, type });
          else await wait(20);
        }
      };
      const load = Array.from({ length: callers }, caller);
      for (let killed = 0; killed < kills; killed++) {
        const before = acknowledged.length;
        // During their work: a kill while no request is served proves nothing.
        await eventually(
          () => acknowledged.length,
          (count) => count > before + callers,
          { withinMs: 30_000, everyMs: 30 },
        );
        await wait(Math.random() * 500);
        await suite.killAndRestart(victims[killed % victims.length] ?? "access");
      }
      over.abort();
      await Promise.all(load);
      // Some were on their way and not answered.
      expect(acknowledged.length).toBeLessThan(requestCount);

      const records = await auditRecordsWith(tenant.projectId, auditor, (all) => {
        const kept = new Set(all.map(({ request, type }) => `${type} ${request?.id}`));
        return acknowledged
          .filter(({ request, type }) => !kept.has(`${type} ${request}`))
          .map(({ request }) => request);
      });
      // A record that came twice is the same both times.
      const texts = new Map<string, Set<string>>();
      for (const record of records)
        texts.set(record.id, (texts.get(record.id) ?? new Set()).add(JSON.stringify(record)));
      expect([...texts.values()].filter(({ size }) => size > 1)).toEqual([]);

      const verify = spawn(process.execPath, [program, "audit", "verify", "--project", tenant.projectId], {
        env: { ...process.env, NODE_OPTIONS: "", IKG_URL: suite.gateway, IKG_CLIENT_KEY: auditor.key },
        stdio: "ignore",
      });
      // The sequence has no gap.
      expect(await new Promise((resolve) => verify.once("close", resolve))).toBe(0);
    },
    180_000 + kills * 15_000,
  );
});
