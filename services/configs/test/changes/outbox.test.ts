import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { newGid, newUuid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { required } from "../environment.ts";
import { writeOutbox } from "../../src/outbox/entry.ts";
import { putPolicy } from "./changes-under-test.ts";
import { changes, configs, project, tenant, useProject } from "./project-under-test.ts";

useProject();

describe("the announcement of a change", () => {
  it("is stored with it and gone once it is delivered", async () => {
    await changes.apply([putPolicy("announced")]);
    const count = async (): Promise<unknown> => {
      const [row] = await configs.graph.shared.read(
        "MATCH (o:_Outbox) WHERE o.organization_id = $organization RETURN count(o) AS waiting",
        { organization: tenant.organization },
        { timeoutMs: 10_000 },
      );
      return row?.["waiting"];
    };
    for (const until = Date.now() + 10_000; (await count()) !== 0 && Date.now() < until;) await wait(50);
    expect(await count()).toBe(0);
  });
});

describe("an announcement that a killed process has not sent", () => {
  it("is sent by another process, with the audit record as it was made", async () => {
    const id = newGid("authorization_policy");
    const record = {
      id: newUuid(),
      time: "2026-01-01T00:00:00.000Z",
      type: "audit.config.update",
      project_id: project,
      actor: { type: "service_account", id: tenant.account },
      outcome: "success",
      data: { kind: "authorization_policy", id },
    } as const;
    const announcement = {
      kind: "authorization_policy",
      id,
      organization_id: tenant.organization,
      project_id: project,
      action: "updated",
    } as const;
    const redis = new Redis(required("REDIS_URL"));
    try {
      await configs.graph.shared.write(
        (tx) =>
          writeOutbox(
            tx,
            { organizationId: tenant.organization, announcements: [announcement], records: [record] },
            Date.now() - 60_000,
          ),
        { timeoutMs: 60_000 },
      );
      const known = async (): Promise<string> => {
        const waiting = await redis.xrange(`audit:${project}`, "-", "+");
        const stored = await configs.graph.shared.read(
          "MATCH (b:_AuditBatch {project_id: $project}) RETURN b.data AS data",
          { project },
          { timeoutMs: 60_000 },
        );
        return JSON.stringify([waiting, stored]);
      };
      for (const until = Date.now() + 30_000; !(await known()).includes(record.id) && Date.now() < until;)
        await wait(100);
      expect(await known()).toContain(record.id);
      expect(await configs.changesOf(id, 1)).toEqual([announcement]);
    } finally {
      redis.disconnect();
    }
  });
});
