import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { type Gid, newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openOrganizationSessions } from "../src/sessions/organization-sessions.ts";
import { openSessions, type Owner, type SessionLimits } from "../src/sessions/sessions.ts";

const version = "2025-11-25";

let redis: Redis;
let organization: Gid;
const made: Gid[] = [];

beforeAll(() => {
  redis = new Redis(requireVariable("REDIS_URL"));
});
beforeEach(() => {
  made.push((organization = newGid("organization")));
});
afterAll(async () => {
  for (const id of made) {
    const keys = await redis.keys(`ikg:mcp:{${id}}:*`);
    if (keys.length > 0) await redis.del(...keys);
  }
  redis.disconnect();
});

/** A subject of a new project of the organization. */
const newOwner = (subject = "ann"): Owner => {
  const project = newGid("project");
  made.push(project);
  return { organization, project, user: { subject, configId: "config", nodeType: "Person", claims: {} } };
};
const replica = (limits: Partial<SessionLimits> = {}) =>
  openSessions(redis, { idleMs: 60_000, perSubject: 3, perOrganization: 2, ...limits });
const counted = () => redis.zcard(`ikg:mcp:{${organization}}:organization`);

it("sessions of all projects of an organization share one bound, at every replica", async () => {
  const [here, there] = [replica(), replica()];
  const [ann, bob, eve] = [newOwner("ann"), newOwner("bob"), newOwner("eve")];
  const id = await here.open(ann, version, 5);
  await there.open(bob, version, 5);
  for (const sessions of [here, there])
    await expect(sessions.open(eve, version, 5)).rejects.toMatchObject({
      code: "too_many_requests",
      headers: { "Retry-After": "5" },
      errors: [
        "sessions: the projects of the organization have 2 open sessions (setting MCP_SESSIONS_PER_ORGANIZATION, 2)",
      ],
    });
  expect(await redis.keys(`ikg:mcp:{${eve.project}}:*`)).toEqual([]);
  const neighbour = { ...newOwner(), organization: newGid("organization") };
  made.push(neighbour.organization);
  await expect(here.open(neighbour, version, 5)).resolves.toMatch(/^[0-9a-f-]{36}$/);
  expect(await there.end(ann, id)).toBe(true);
  await expect(here.open(eve, version, 5)).resolves.toMatch(/^[0-9a-f-]{36}$/);
});

it("as many are opened as the organization may have when all ask at once", async () => {
  const replicas = [1, 2, 3].map(() => replica({ perOrganization: 7 }));
  const attempts = replicas.flatMap((sessions) =>
    Array.from({ length: 10 }, () => sessions.open(newOwner(), version, 5)),
  );
  const answers = await Promise.allSettled(attempts);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
  expect(await counted()).toBe(7);
});

it("sessions that end for others of their subject, and those that a full project refuses, are not counted", async () => {
  const sessions = replica({ perSubject: 1 });
  const ann = newOwner();
  for (let each = 0; each < 4; each++) await sessions.open(ann, version, 1);
  expect(await counted()).toBe(1);
  const bob = { ...ann, user: { ...ann.user, subject: "bob" } };
  await expect(sessions.open(bob, version, 1)).rejects.toMatchObject({
    errors: ["sessions: the project has 1 open sessions (limit sessions, 1)"],
  });
  expect(await counted()).toBe(1);
});

it("a session counts as long as it is used, and leaves nothing", async () => {
  const sessions = replica({ idleMs: 400, perOrganization: 1 });
  const ann = newOwner();
  const id = await sessions.open(ann, version, 5);
  for (let each = 0; each < 4; each++) {
    await pause(200);
    expect(await sessions.use(ann, id)).toBe(version);
    await expect(sessions.open(newOwner(), version, 5)).rejects.toMatchObject({ code: "too_many_requests" });
  }
  await pause(600);
  expect(await redis.keys(`ikg:mcp:{${organization}}:*`)).toEqual([]);
  await expect(sessions.open(newOwner(), version, 5)).resolves.toMatch(/^[0-9a-f-]{36}$/);
});

it("what a killed process left counted is forgotten when the session would have expired", async () => {
  await openOrganizationSessions(redis, 400, 1).reserve(organization, randomUUID());
  const sessions = replica({ idleMs: 400, perOrganization: 1 });
  await expect(sessions.open(newOwner(), version, 5)).rejects.toMatchObject({ code: "too_many_requests" });
  await pause(500);
  await expect(sessions.open(newOwner(), version, 5)).resolves.toMatch(/^[0-9a-f-]{36}$/);
});

it("a use that arrives after the end of a session counts it no more", async () => {
  const sessions = openOrganizationSessions(redis, 60_000, 5);
  const id = randomUUID();
  await sessions.reserve(organization, id);
  await sessions.touch(organization, id);
  expect(await counted()).toBe(1);
  await sessions.release(organization, [id]);
  await sessions.touch(organization, id);
  expect(await counted()).toBe(0);
});

it("a session whose count is sent twice counts once, also as the last one", async () => {
  const sessions = openOrganizationSessions(redis, 60_000, 1);
  const id = randomUUID();
  await sessions.reserve(organization, id);
  await sessions.reserve(organization, id);
  expect(await counted()).toBe(1);
  await expect(sessions.reserve(organization, randomUUID())).rejects.toMatchObject({
    code: "too_many_requests",
  });
  expect(await counted()).toBe(1);
});

it("a session whose count has no answer is not left counted", async () => {
  let isLost = true;
  const lossy = {
    eval: async (script: string, keys: number, ...args: (string | number)[]): Promise<unknown> => {
      const answer: unknown = await redis.eval(script, keys, ...args);
      if (!isLost) return answer;
      isLost = false;
      throw new Error("Command timed out");
    },
  } as unknown as Redis; // the one command that opening a session needs
  const sessions = openSessions(lossy, { idleMs: 60_000, perSubject: 3, perOrganization: 1 });
  await expect(sessions.open(newOwner(), version, 5)).rejects.toMatchObject({ code: "unavailable" });
  expect(isLost).toBe(false);
  expect(await counted()).toBe(0);
  await expect(sessions.open(newOwner(), version, 5)).resolves.toMatch(/^[0-9a-f-]{36}$/);
});
