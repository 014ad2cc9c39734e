import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { changesChannel, type Gid, newGid } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey, recordLabels } from "@ikg/physical";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { isLongRun, neo4jOfTests, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type Catalog, openCatalog } from "../src/catalog.ts";

let graph: Graph;
let redis: Redis;
let catalog: Catalog;
let loads = 0;
let clock = 0;
const organization = newGid("organization");
const connectionName = `catalog-test-${randomBytes(6).toString("hex")}`;
const options = { timeoutMs: 10_000 };
const log = { warn: () => undefined };
const text = JSON.stringify({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Car" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
});

const write = (statement: string, params: Record<string, unknown>): Promise<unknown> =>
  graph.shared.write((tx) => tx.run(statement, params), options);

const addProject = async (id = newGid("project")): Promise<Gid> => {
  const fields = {
    id,
    kind: "project",
    organization_id: organization,
    project_id: id,
    version: 1,
    pk: newProjectKey(randomBytes(8)),
    ikg_status: "ACTIVE",
    data: "{}",
  };
  await write(`CREATE (r:_Record:${recordLabels.project}) SET r = $fields`, { fields });
  return id;
};
const addPolicy = async (project: Gid, status = "ACTIVE"): Promise<Gid> => {
  const id = newGid("authorization_policy");
  const fields = {
    id,
    kind: "authorization_policy",
    name: `p${id.slice(-6)}`,
    organization_id: organization,
    project_id: project,
    version: 1,
    create_time: new Date().toISOString(),
    data: '{"tags":[]}',
    text,
    status,
    policy_kind: "kbac",
  };
  await write(
    `MATCH (p:_Record {id: $project}) CREATE (r:_Record:${recordLabels.authorization_policy})-[:_PART_OF]->(p) SET r = $fields`,
    { project, fields },
  );
  return id;
};
const announce = (project: Gid, id: Gid): Promise<unknown> =>
  redis.publish(
    changesChannel,
    JSON.stringify({
      kind: "authorization_policy",
      id,
      project_id: project,
      organization_id: organization,
      action: "created",
    }),
  );
const projectIn = async (of: Catalog, id: string) => (await of.snapshot(id))?.project;
const policiesIn = async (of: Catalog, id: string) => (await of.snapshot(id))?.kbacPolicies();
const candidates = async (id: Gid) =>
  (await catalog.snapshot(id))?.kbacCandidates("Person", "READ", "Car") ?? [];
/** Waits until a condition holds, at most the 2 s that a change may take. */
const soon = (holds: () => Promise<boolean>): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 2_000, everyMs: 10 });

/** Connections of this file's catalogs that hear changes; other files have theirs. */
const subscribers = async (): Promise<readonly string[]> =>
  String(await redis.call("CLIENT", "LIST", "TYPE", "pubsub"))
    .split("\n")
    .filter((client) => client.includes(` name=${connectionName} `));
/** Waits until so many catalogs of this file hear changes. */
const subscribed = async (count: number): Promise<void> => {
  await soon(async () => (await subscribers()).length >= count);
  await wait(100);
};

beforeAll(async () => {
  graph = connectGraph(neo4jOfTests(), {
    onStatement: ({ text: statement }) => {
      if (statement.includes("AS introspects")) loads++;
    },
  });
  await graph.prepare();
  redis = new Redis(requireVariable("REDIS_URL"), { connectionName });
  catalog = openCatalog({ graph, redis, log, now: () => clock });
  await subscribed(1);
});
afterAll(async () => {
  await catalog.close();
  await write("MATCH (r:_Record {organization_id: $organization}) DETACH DELETE r", { organization });
  redis.disconnect();
  await graph.close();
});

describe("the catalog", () => {
  it("loads a project once and answers every question from it", async () => {
    const project = await addProject();
    const policy = await addPolicy(project);
    await addPolicy(project, "DRAFT");
    await addPolicy(project, "INACTIVE");
    loads = 0;
    const [a, b] = await Promise.all([candidates(project), candidates(project)]);
    expect(a.map(({ id }) => id)).toEqual([policy]);
    expect(b).toBe(a);
    const snapshot = await catalog.snapshot(project);
    expect(snapshot?.project).toMatchObject({
      id: project,
      organizationId: organization,
      ikgStatus: "ACTIVE",
    });
    expect(snapshot?.kbacPolicies()).toHaveLength(1);
    expect(snapshot?.introspects).toEqual([]);
    expect(snapshot?.query("none")).toBeUndefined();
    expect(loads).toBe(1);
  });

  it("hears of a change and keeps the list when it did not matter", async () => {
    const project = await addProject();
    const other = await addProject();
    await addPolicy(project);
    const before = await candidates(project);
    const untouched = await catalog.snapshot(other);
    loads = 0;
    await announce(project, newGid("authorization_policy"));
    await soon(async () => {
      await candidates(project);
      return loads === 1;
    });
    expect(await candidates(project)).toBe(before);
    await announce(project, await addPolicy(project));
    await soon(async () => (await candidates(project)).length === 2);
    expect(await catalog.snapshot(other)).toBe(untouched);
  });

  it("asks again when 30 s have passed, in case an announcement was lost", async () => {
    const project = await addProject();
    expect(await candidates(project)).toEqual([]);
    await addPolicy(project);
    clock += 29_999;
    expect(await candidates(project)).toEqual([]);
    clock += 1;
    expect(await candidates(project)).toHaveLength(1);
  });

  it("asks again after 20 s for what is in use, while callers get what is known", async () => {
    const project = await addProject();
    expect(await candidates(project)).toEqual([]);
    await addPolicy(project);
    loads = 0;
    clock += 20_000;
    expect(await candidates(project)).toEqual([]);
    await soon(async () => (await candidates(project)).length === 1);
    expect(loads).toBe(1);
  });

  it("remembers for 5 s that there is no such project, and forgets it when one is announced", async () => {
    const id = newGid("project");
    loads = 0;
    expect(await catalog.snapshot(id)).toBeUndefined();
    expect(await catalog.snapshot(id)).toBeUndefined();
    expect(loads).toBe(1);
    clock += 5_000;
    expect(await catalog.snapshot(id)).toBeUndefined();
    expect(loads).toBe(2);
    await addProject(id);
    expect(await catalog.snapshot(id)).toBeUndefined();
    await redis.publish(
      changesChannel,
      JSON.stringify({ kind: "project", id, organization_id: organization, action: "created" }),
    );
    await soon(async () => (await catalog.snapshot(id)) !== undefined);
    expect(await catalog.snapshot(newGid("application"))).toBeUndefined();
  });

  it("asks for a few unknown names at one time, and a project among them comes in its turn", async () => {
    const project = await addProject();
    let running = 0;
    let most = 0;
    let readsDatabase = true;
    const counted: Graph = {
      ...graph,
      shared: {
        ...graph.shared,
        read: async (...parts) => {
          most = Math.max(most, ++running);
          const rows = readsDatabase ? graph.shared.read(...parts) : wait(1, []);
          return rows.finally(() => running--);
        },
      },
    };
    const own = openCatalog({ graph: counted, redis, log, now: () => clock });
    const names = isLongRun() ? 300 : 60;
    const storm = () => Array.from({ length: names }, () => own.snapshot(newGid("project")));
    const before = storm();
    const found = projectIn(own, project);
    const after = storm();
    expect(await found).toMatchObject({ id: project });
    expect(new Set(await Promise.all([...before, ...after]))).toEqual(new Set([undefined]));
    expect(most).toBe(8);
    // How many may wait does not depend on what the database answers.
    readsDatabase = isLongRun();
    const many = Array.from({ length: 1_100 }, () => own.snapshot(newGid("project")).catch((error) => error));
    expect((await Promise.all(many)).find((each) => each !== undefined)).toMatchObject({
      code: "unavailable",
      errors: ["loads of unknown projects: queue full, at most 1000 may wait; retry later"],
    });
    await own.close();
  });

  it("does not keep what was read before a change was announced", async () => {
    const project = await addProject();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let hold = true;
    const slow: Graph = {
      ...graph,
      shared: {
        ...graph.shared,
        read: async (...parts) => {
          const rows = await graph.shared.read(...parts);
          if (hold) await held;
          return rows;
        },
      },
    };
    const own = openCatalog({ graph: slow, redis, log, now: () => clock });
    await wait(300);
    const early = policiesIn(own, project);
    await wait(100);
    await announce(project, await addPolicy(project));
    await wait(100);
    hold = false;
    const late = policiesIn(own, project);
    expect(await late).toHaveLength(1);
    release();
    expect(await early).toEqual([]);
    expect(await policiesIn(own, project)).toHaveLength(1);
    await own.close();
  });

  it("completes a load that a later one overtook from the state that it began with", async () => {
    const project = await addProject();
    const policy = await addPolicy(project);
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let hold = false;
    const slow: Graph = {
      ...graph,
      shared: {
        ...graph.shared,
        read: async (...parts) => {
          const holding = hold;
          const rows = await graph.shared.read(...parts);
          if (holding) {
            reached.resolve();
            await held.promise;
          }
          return rows;
        },
      },
    };
    let changes = 0;
    const own = openCatalog({ graph: slow, redis, log, now: () => clock, onChange: () => changes++ });
    await subscribed(2);
    const announced = async (): Promise<void> => {
      const before = changes;
      await announce(project, policy);
      await soon(() => Promise.resolve(changes > before));
    };
    await announced();
    expect(await policiesIn(own, project)).toHaveLength(1);
    await announced();
    hold = true;
    const overtaken = policiesIn(own, project);
    await reached.promise;
    hold = false;
    await write("MATCH (r:_Record {id: $policy}) SET r.status = 'INACTIVE'", { policy });
    await announced();
    expect(await policiesIn(own, project)).toEqual([]);
    held.resolve();
    try {
      expect((await overtaken)?.map(({ id }) => id)).toEqual([policy]);
    } finally {
      await own.close();
    }
  });

  it("forgets everything when its subscription was interrupted", async () => {
    const project = await addProject();
    expect(await candidates(project)).toEqual([]);
    await addPolicy(project);
    expect(await candidates(project)).toEqual([]);
    const mine = await subscribers();
    expect(mine).toHaveLength(1);
    for (const client of mine) await redis.call("CLIENT", "KILL", "ID", /id=(\d+)/.exec(client)?.[1] ?? "");
    await soon(async () => (await candidates(project)).length === 1);
  });

  it("gives up projects of the organization that holds most where memory ends", async () => {
    const light = await addProject();
    const other = newGid("organization");
    const heavy = await Promise.all(Array.from({ length: 6 }, () => addProject()));
    await write("MATCH (r:_Record {id: $light}) SET r.organization_id = $other", { light, other });
    // Room for three projects without records.
    const own = openCatalog({ graph, redis, log, memoryBytes: 70_000, now: () => clock });
    try {
      await subscribed(2);
      await own.snapshot(light);
      for (const id of heavy) await own.snapshot(id);
      loads = 0;
      await own.snapshot(light);
      await own.snapshot(heavy[5] ?? "");
      expect(loads).toBe(0);
      await own.snapshot(heavy[0] ?? "");
      expect(loads).toBe(1);
    } finally {
      await own.close();
      await write("MATCH (r:_Record {id: $light}) SET r.organization_id = $organization", {
        light,
        organization,
      });
    }
  });

  it("fails with `unavailable` when the database cannot be reached", async () => {
    const unreachable = connectGraph({ uri: "bolt://127.0.0.1:1", username: "x", password: "y" });
    const own = openCatalog({ graph: unreachable, redis, log });
    await expect(own.snapshot(newGid("project"))).rejects.toMatchObject({ code: "unavailable" });
    await own.close();
    await unreachable.close();
  });
});
