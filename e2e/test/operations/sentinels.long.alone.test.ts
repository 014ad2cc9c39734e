import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { ImportJob } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";
import { tryEvaluate } from "../../src/requests/evaluate.ts";
import { type OwnSuite, startOwnSuite } from "../../src/suites/own-suite.ts";
import { startWatchedRedis, type WatchedRedis } from "../../src/suites/redis-sentinels.ts";
import { takesEffectWithinMs } from "../../src/take-effect.ts";

/** Redis that Sentinels watch: its master is killed while there is load, and another server takes its place. */
const withinMs = 30_000;

let redis: WatchedRedis;
let suite: OwnSuite;
let tenant: Tenant;

beforeAll(async () => {
  const runRedis = async (): Promise<WatchedRedis> => (redis = await startWatchedRedis());
  suite = await startOwnSuite({}, {}, { runRedis });
  tenant = await createTenant("sentinels");
  const ann = { type: "Person", external_id: "ann" };
  const open = { type: "Door", external_id: "open" };
  await capture(
    {
      nodes: [ann, open, { type: "Door", external_id: "shut" }],
      relationships: [{ source: ann, target: open, type: "OWNS" }],
    },
    tenant,
  );
  await savePolicy(tenant.projectId, ownersMay("OPEN"));
}, 300_000);
afterAll(async () => {
  await tenant?.remove();
  await suite?.close();
}, 60_000);

const opening = (id: string) => ({
  subject: { type: "Person", id: "ann" },
  action: { name: "OPEN" },
  resource: { type: "Door", id },
});
const importOne = (id: string): Promise<ImportJob> =>
  openIkg(tenant).capture.import([{ node: { external_id: id, type: "Person" } }]);
const requireDone = async (job: ImportJob): Promise<void> => {
  const { status } = await job.finished({ everyMs: 200, signal: AbortSignal.timeout(withinMs) });
  expect(status).toBe("done");
};
const lost = async (): Promise<number> =>
  metricsIn(await suite.metrics("access")).total("ikg_audit_lost_total");

it("goes on while the master of Redis is killed and another one is chosen", async () => {
  await requireDone(await importOne("before"));
  const over = new AbortController();
  const wrong: string[] = [];
  let requestCount = 0;
  const load = Array.from({ length: 4 }, async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const door = n % 2 === 0 ? "open" : "shut";
      const { status, body } = await tryEvaluate(opening(door), tenant);
      requestCount++;
      if (status !== 200) wrong.push(`${status}`);
      else if ((body as { decision: boolean }).decision !== (door === "open")) wrong.push(`wrong on ${door}`);
      await pause(20);
    }
  });
  await pause(1_000);
  await redis.stop();
  const during = await importOne("during");
  const { id, key } = await createCredential(tenant.agentId);
  await eventually(
    () => tryEvaluate(opening("open"), { key }),
    ({ status }) => status === 200,
  );
  await openAdmin().agentCredentials.delete(id);
  await pause(takesEffectWithinMs);
  expect((await tryEvaluate(opening("open"), { key })).status).toBe(401);

  // The queue goes on at the new master, and so do records: none is lost any more.
  await requireDone(during);
  await requireDone(await importOne("after"));
  expect(redis.output()).toContain("+switch-master");
  const lostMeanwhile = async (): Promise<number> => {
    const before = await lost();
    await pause(1_500);
    return (await lost()) - before;
  };
  await eventually(lostMeanwhile, (count) => count === 0, { withinMs, everyMs: 0 });
  over.abort();
  await Promise.all(load);
  expect(wrong).toEqual([]);
  expect(requestCount).toBeGreaterThan(50);
}, 180_000);
