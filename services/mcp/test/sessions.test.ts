import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openSessions, type Owner, type SessionLimits } from "../src/sessions/sessions.ts";

let redis: Redis;
const made: string[] = [];
const organization = newGid("organization");

beforeAll(() => {
  redis = new Redis(requireVariable("REDIS_URL"));
});
afterAll(async () => {
  for (const id of [...made, organization]) {
    const keys = await redis.keys(`ikg:mcp:{${id}}:*`);
    if (keys.length > 0) await redis.del(...keys);
  }
  redis.disconnect();
});

const version = "2025-11-25";
const newProject = () => {
  const project = newGid("project");
  made.push(project);
  return project;
};
const owner = (project: Owner["project"], subject: string, configId = "config"): Owner => ({
  organization,
  project,
  user: { subject, configId, nodeType: "Person", claims: {} },
});
const open = (limits: Partial<SessionLimits> = {}) =>
  openSessions(redis, { idleMs: 60_000, perSubject: 3, perOrganization: 1_000, ...limits });

describe("sessions", () => {
  it("are found by their owner at any replica, and by no other user", async () => {
    const project = newProject();
    const ann = owner(project, "ann");
    const id = await open().open(ann, version, 5);
    const replica = open();
    expect(await replica.use(ann, id)).toBe(version);
    for (const stranger of [
      owner(project, "bob"),
      owner(project, "ann", "another configuration"),
      owner(newProject(), "ann"),
    ]) {
      expect(await replica.use(stranger, id)).toBeUndefined();
      expect(await replica.end(stranger, id)).toBe(false);
    }
    expect(await replica.end(ann, id)).toBe(true);
    expect(await replica.use(ann, id)).toBeUndefined();
    expect(await replica.end(ann, id)).toBe(false);
  });

  it("of one subject: the one idle longest ends for one too many", async () => {
    const ann = owner(newProject(), "ann");
    const sessions = open();
    const ids: string[] = [];
    for (let each = 0; each < 3; each++) {
      ids.push(await sessions.open(ann, version, 5));
      await pause(5);
    }
    // The first one is used again, so that the second is the one idle longest.
    await sessions.use(ann, ids[0] ?? "");
    await pause(5);
    ids.push(await sessions.open(ann, version, 5));
    const alive = await Promise.all(ids.map((id) => sessions.use(ann, id)));
    expect(alive).toEqual([version, undefined, version, version]);
  });

  it("of a project: one too many is refused until one ends", async () => {
    const project = newProject();
    const sessions = open();
    const owners = Array.from({ length: 6 }, (_, n) => owner(project, `subject-${n}`));
    const [first, ...rest] = owners;
    if (first === undefined) throw new Error("no owner");
    const id = await sessions.open(first, version, 5);
    const last = rest.pop();
    if (last === undefined) throw new Error("no owner");
    for (const each of rest) await sessions.open(each, version, 5);
    await expect(sessions.open(last, version, 5)).rejects.toMatchObject({
      code: "too_many_requests",
      headers: { "Retry-After": expect.any(String) },
      errors: ["sessions: the project has 5 open sessions (limit sessions, 5)"],
    });
    expect(await sessions.counts()).toEqual(new Map([[project, 5]]));
    await sessions.end(first, id);
    await expect(sessions.open(last, version, 5)).resolves.toMatch(/^[0-9a-f-]{36}$/);
    // The limit is that of the project's record now.
    await expect(sessions.open(last, version, 6)).resolves.toMatch(/^[0-9a-f-]{36}$/);
  });

  it("end when they are not used, and leave nothing", async () => {
    const project = newProject();
    const sessions = open({ idleMs: 300, perSubject: 1 });
    const ann = owner(project, "ann");
    const id = await sessions.open(ann, version, 1);
    for (let each = 0; each < 4; each++) {
      await pause(150);
      expect(await sessions.use(ann, id)).toBe(version);
    }
    await pause(500);
    expect(await sessions.use(ann, id)).toBeUndefined();
    expect(await redis.keys(`ikg:mcp:{${project}}:*`)).toEqual([]);
    await sessions.open(owner(project, "bob"), version, 1);
  });

  it("ids of another form are not looked up", async () => {
    const ann = owner(newProject(), "ann");
    for (const id of ["", "*", "x".repeat(10_000), "__proto__"]) {
      expect(await open().use(ann, id)).toBeUndefined();
      expect(await open().end(ann, id)).toBe(false);
    }
  });

  it("without Redis no session is reported as ended", async () => {
    const gone = new Redis({
      port: 1,
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    gone.on("error", () => undefined);
    const sessions = openSessions(gone, { idleMs: 1_000, perSubject: 1, perOrganization: 1 });
    const ann = owner(newProject(), "ann");
    const away = { code: "unavailable", status: 503 };
    await expect(sessions.open(ann, version, 5)).rejects.toMatchObject(away);
    await expect(sessions.use(ann, "00000000-0000-4000-8000-000000000000")).rejects.toMatchObject(away);
  });
});
