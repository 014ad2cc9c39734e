import { describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { gatewayOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { changesChannel, newGid } from "@ikg/contracts";
import { becomes } from "./becomes.ts";
import { contextOf, startGateway } from "./gateway-process.ts";
import {
  account,
  agent,
  call,
  evaluation,
  gateway,
  graph,
  key,
  redis,
  tenant,
  upstream,
  useGateway,
} from "./gateway-under-test.ts";
import { newTenant } from "./tenant.ts";

useGateway();

describe("the process", () => {
  it("logs one line per request and no secret", async () => {
    const id = randomUUID();
    await call("POST", "/access/v1/evaluation", { headers: { Authorization: `Bearer ${key}` } });
    await evaluation({ Authorization: `Bearer ${key}` });
    await evaluation({ "X-Request-ID": id, Authorization: "Bearer aaa.bbb.ccc" });
    const logged = await eventually(
      () => gateway.logs.find((line) => line["request_id"] === id),
      (line) => line !== undefined,
      { withinMs: 3_000, everyMs: 20 },
    );
    expect(logged).toMatchObject({
      service: "gateway",
      operation: "evaluate",
      route: "/access/v1/evaluation",
      status: 200,
      project: tenant.project,
    });
    const text = JSON.stringify(gateway.logs);
    for (const secret of [key, account, "aaa.bbb.ccc", gatewayOfTests.signingKey])
      expect(text).not.toContain(secret);
  });

  it("stops with 0 after what runs has finished", async () => {
    const own = await startGateway({
      UPSTREAM_CONFIGS: upstream.url,
      UPSTREAM_CAPTURE: upstream.url,
      UPSTREAM_ACCESS: upstream.url,
      UPSTREAM_CIQ: upstream.url,
      DRAIN_DELAY_MS: "200",
      COMPAT_ALIASES: "true",
    });
    upstream.answer = (_request, response) => void setTimeout(() => response.json({ late: true }), 600);
    const asked = fetch(`${own.url}/contx-iq/v1/execute?a=1`, {
      method: "POST",
      headers: { "X-IK-ClientKey": key },
      body: "{}",
    });
    await wait(100);
    const stopped = own.stop();
    await wait(50);
    expect((await fetch(`${own.url}/readyz`)).status).toBe(503);
    const answer = await asked;
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(await stopped).toBe(0);
    expect(upstream.arrived[0]?.url).toBe("/ciq/v1/execute?a=1");
  });

  it("refuses the aliases unless they are switched on", async () => {
    expect((await call("POST", "/contx-iq/v1/execute", { headers: { "X-SVC-ClientKey": key } })).status).toBe(
      404,
    );
    const alias = await call("POST", "/ciq/v1/execute", { headers: { "X-IK-ClientKey": key } });
    expect(alias.status).toBe(401);
  });

  it("drops everything it remembers when it cannot read an announcement", async () => {
    const revoked = await tenant.key(agent);
    const ask = () => evaluation({ "X-SVC-ClientKey": revoked.token });
    expect((await ask()).status).toBe(200);
    await tenant.remove(revoked.id);
    await redis.publish(changesChannel, "not json");
    expect(await becomes(401, ask)).toBeLessThan(2_000);
  });

  it("keeps the key of one project out of another's context", async () => {
    const other = await newTenant(graph);
    try {
      const { token } = await other.key(await other.agent(["Authorization"]));
      await evaluation({ "X-SVC-ClientKey": token });
      const { caller } = await contextOf(
        upstream.arrived[0]?.headers ?? {},
        "access",
        "/access/v1/evaluation",
      );
      expect(caller).toMatchObject({ project: other.project, org: other.organization });
      expect(newGid("project")).not.toBe(other.project);
    } finally {
      await other.end();
    }
  });
});
