import { expect, it } from "@jest/globals";
import { openLastUse } from "@ikg/auth";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { freshName } from "./tenant.ts";
import { configs, ours, tenant, useProjectWithAgent } from "./project-with-agent.ts";

useProjectWithAgent();

it("credentials of an application agent are ten alive at most, counted even when they are made at once", async () => {
  const path = "/application-agent-credentials";
  const agent = await tenant.make("/application-agents", {
    application_id: ours.application.id,
    name: "busy-agent",
    api_permissions: ["Capture"],
  });
  const later = "2099-01-01T00:00:00.000Z";
  const first = await tenant.make(path, { application_agent_id: agent.id, expire_time: later });
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => tenant.send("POST", path, { application_agent_id: agent.id })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
  expect(answers.find(({ status }) => status === 409)?.body).toEqual({
    message: "Conflict",
    errors: ["application_agent_id: at most 10 may be live"],
  });
  // As if the time had come.
  const expire =
    "MATCH (r:_Record {id: $id, expire_time: $later}) SET r.expire_time = $now RETURN r.id AS id";
  const params = { id: first.id, later, now: new Date().toISOString() };
  const edited = await configs.graph.shared.write((tx) => tx.run(expire, params), { timeoutMs: 80_000 });
  expect(edited).toHaveLength(1);
  expect((await tenant.send("POST", path, { application_agent_id: agent.id })).status).toBe(201);
  expect((await tenant.send("POST", path, { application_agent_id: agent.id })).status).toBe(409);
  expect((await tenant.send("GET", `${path}/${first.id}`)).status).toBe(200);
  expect((await tenant.send("DELETE", `${path}/${first.id}`)).status).toBe(200);
  expect((await tenant.send("POST", path, { application_agent_id: agent.id })).status).toBe(409);
});

it("the token of a service account shows the last day of its use", async () => {
  const path = "/service-account-credentials";
  const account = await tenant.make("/service-accounts", {
    organization_id: tenant.organization,
    name: freshName(),
    role: "all_viewer",
  });
  const used = await tenant.make(path, { service_account_id: account.id });
  expect(used.body).not.toHaveProperty("last_used");
  const redis = new Redis(requireVariable("REDIS_URL"));
  openLastUse(redis, () => Date.parse("2026-02-03T04:05:06Z"))(String(used.body["kid"]));
  await redis.ping();
  redis.disconnect();
  expect((await tenant.send("GET", `${path}/${used.id}`)).body["last_used"]).toBe("2026-02-03");
  const { data } = (await tenant.send("GET", `${path}?organization_id=${tenant.organization}`)).body;
  expect((data as { id: string; last_used?: string }[]).find(({ id }) => id === used.id)?.last_used).toBe(
    "2026-02-03",
  );
});
