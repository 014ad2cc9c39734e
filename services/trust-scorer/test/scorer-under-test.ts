import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type dimensionNames, type Gid, newGid } from "@ikg/contracts";
import { type Connection, connectGraph, type Graph, type ProjectGraph, type Row } from "@ikg/graph";
import {
  keyPrefix,
  newProjectKey,
  type ProjectKey,
  projectKey,
  projectLabel,
  quoteName,
  recordLabel,
  recordLabels,
  trustRunLabel,
  typeLabel,
} from "@ikg/physical";
import { BaseSettings, graphSettings, type Service, startService } from "@ikg/service";
import { storedProfiles, type Schedule } from "../src/profiles/profile.ts";
import { runRecords } from "../src/runs/run-record.ts";
import { defaultConstants } from "../src/score/constants.ts";
import type { Scorer, ScorerSettings, ScorerMetrics } from "../src/scorer.ts";
import { startScorer, type StartSettings } from "../src/start.ts";

export const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: integration tests need a running backend`);
  return value;
};

export const testSettings = () =>
  BaseSettings.parse({
    PORT: "0",
    LOG_LEVEL: "error",
    NEO4J_URI: setting("NEO4J_URI"),
    NEO4J_USERNAME: setting("NEO4J_USERNAME"),
    NEO4J_PASSWORD: setting("NEO4J_PASSWORD"),
    REDIS_URL: setting("REDIS_URL"),
    INTERNAL_CONTEXT_KEY: randomBytes(32).toString("base64"),
  });

const options = { timeoutMs: 60_000 };

type DimensionName = (typeof dimensionNames)[number];

export interface ProfileFields {
  readonly type?: string;
  readonly schedule?: Schedule;
  readonly dimensions?: Readonly<Partial<Record<DimensionName, number>>>;
}

/** The state of a profile's runs, as it is stored. */
export type StoredState = Readonly<Record<string, unknown>>;

/** A project of a test with nodes and profiles, stored as the other services do. */
export interface TestProject {
  readonly id: Gid;
  readonly pk: ProjectKey;
  /** Nodes of a type by external id, as physical fields. */
  nodes(type: string, fields: Readonly<Record<string, Row>>): Promise<void>;
  profile(fields?: ProfileFields): Promise<Gid>;
  changeProfile(id: Gid, fields: ProfileFields): Promise<void>;
  removeProfile(id: Gid): Promise<void>;
  setStatus(status: string): Promise<void>;
  /** Fields of the score of each node of a type, by external id. */
  scores(type: string): Promise<Record<string, Row>>;
  countScores(): Promise<number>;
  state(profile: Gid): Promise<StoredState | undefined>;
  /** Waits until a run of a profile has ended that began after a time; its state then. */
  scored(profile: Gid, after?: string, timeoutMs?: number): Promise<StoredState>;
  /** Runs a statement where the graph is. */
  run(text: string, params?: Row): Promise<Row[]>;
}

export interface TestBed {
  readonly graph: Graph;
  /** @param isStored with a record, for scorers in processes of their own. */
  project(connection?: Connection, isStored?: boolean): Promise<TestProject>;
  /** A scorer of this bed's projects alone, with queues of its own. */
  start(settings?: Partial<ScorerSettings & StartSettings & Around>): Promise<TestScorer>;
  close(): Promise<void>;
}

/** What a scorer of a test lives in. */
export interface Around {
  readonly now: () => Date;
  /** The way of this scorer to the database of the bed. */
  readonly neo4jUri: string;
  readonly metrics: ScorerMetrics;
}

export interface TestScorer {
  readonly service: Service;
  readonly scorer: Scorer;
  close(): Promise<void>;
}

const silent: ScorerMetrics = { rows: () => undefined, run: () => undefined, repeated: () => undefined };

const dimensionsOf = (dimensions: ProfileFields["dimensions"]) =>
  Object.entries(dimensions ?? { FRESHNESS: 1, ORIGIN: 1, VERIFICATION: 1 }).map(([name, weight]) => ({
    name,
    weight,
  }));

/** Opens a place for tests of the scorer on the databases of the environment. */
export const openTestBed = async (): Promise<TestBed> => {
  const settings = testSettings();
  const target = graphSettings(settings);
  const shared = connectGraph(target, {}, async (host) => host);
  await shared.prepare();
  const queue = `trust-test-${randomUUID().slice(0, 8)}`;
  const projects = new Map<string, ProjectGraph & { organizationId: Gid; ikgStatus: string }>();
  const scorers = new Set<TestScorer>();
  const profiles = new Set<Gid>();
  const inShared = (text: string, params: Row = {}): Promise<Row[]> =>
    shared.shared.write((tx) => tx.run(text, params), options);

  const project = async (connection?: Connection, isStored = false): Promise<TestProject> => {
    const id = newGid("project");
    const pk = connection === undefined ? newProjectKey(randomBytes(8)) : projectKey("");
    const known = { id, pk, organizationId: newGid("organization"), ikgStatus: "ACTIVE", connection };
    projects.set(id, known);
    const run = (text: string, params: Row = {}): Promise<Row[]> =>
      shared.of(known).write((tx) => tx.run(text, params), options);
    if (isStored) {
      const stored = {
        id,
        pk,
        kind: "project",
        organization_id: known.organizationId,
        name: `trust-${pk}`,
        version: 1,
        ikg_status: "ACTIVE",
        data: "{}",
      };
      await inShared(`CREATE (r:${recordLabel}:${recordLabels.project}) SET r = $stored`, { stored });
    }
    const state: TestProject["state"] = async (profile) =>
      (
        await inShared(`MATCH (r:${trustRunLabel} {profile_id: $profile}) RETURN properties(r) AS s`, {
          profile,
        })
      )[0]?.["s"] as StoredState | undefined; // the one column
    return {
      id,
      pk,
      run,
      state,
      nodes: async (type, fields) => {
        const rows = Object.entries(fields).map(([x, p]) => ({ x, p, id: newGid("node") }));
        const labels = [projectLabel(pk), typeLabel(type, pk)].map(quoteName).join(":");
        for (let at = 0; at < rows.length; at += 5_000)
          await run(
            `UNWIND $rows AS row CREATE (n:_Node:${labels}) SET n = row.p,
             n += {_key: $prefix + row.x, id: row.id, external_id: row.x, type: $type}`,
            { rows: rows.slice(at, at + 5_000), prefix: keyPrefix(pk, type), type },
          );
      },
      profile: async ({ type = "Person", schedule = "DAILY", dimensions } = {}) => {
        const profile = newGid("trust_score_profile");
        profiles.add(profile);
        const now = new Date().toISOString();
        const data = JSON.stringify({
          node_classification: type,
          schedule,
          dimensions: dimensionsOf(dimensions),
        });
        const stored = { id: profile, kind: "trust_score_profile", project_id: id, update_time: now, data };
        await inShared(
          `CREATE (r:${recordLabel}:${quoteName(recordLabels.trust_score_profile)}) SET r = $stored`,
          { stored },
        );
        return profile;
      },
      changeProfile: async (profile, { type = "Person", schedule = "DAILY", dimensions }) => {
        const data = JSON.stringify({
          node_classification: type,
          schedule,
          dimensions: dimensionsOf(dimensions),
        });
        await inShared(`MATCH (r:${recordLabel} {id: $profile}) SET r.data = $data, r.update_time = $now`, {
          profile,
          data,
          now: new Date().toISOString(),
        });
      },
      removeProfile: async (profile) => {
        await inShared(`MATCH (r:${recordLabel} {id: $profile}) DELETE r`, { profile });
      },
      setStatus: async (status) => void (known.ikgStatus = status),
      scores: async (type) => {
        const rows = await run(
          `MATCH (n:${quoteName(typeLabel(type, pk))})-[:_HAS]->(t:${quoteName(typeLabel("_TrustScore", pk))})
           RETURN n.external_id AS x, properties(t) AS t`,
        );
        return Object.fromEntries(rows.map((row) => [String(row["x"]), row["t"] as Row])); // properties of a node
      },
      countScores: async () => {
        const [row] = await run(`MATCH (t:${quoteName(typeLabel("_TrustScore", pk))}) RETURN count(t) AS n`);
        return Number(row?.["n"]);
      },
      scored: async (profile, after = "", timeoutMs = 60_000) => {
        for (const until = Date.now() + timeoutMs; ; await wait(20)) {
          const now = await state(profile);
          const ended = now?.["last_run_start_time"];
          if (typeof ended === "string" && ended > after) return now ?? {};
          if (Date.now() > until) throw new Error(`no run ended in time: ${JSON.stringify(now)}`);
        }
      },
    };
  };

  const start: TestBed["start"] = async ({
    now = () => new Date(),
    neo4jUri,
    metrics = silent,
    ...more
  } = {}) => {
    const service = await startService("trust-scorer", settings);
    const graph = neo4jUri === undefined ? shared : connectGraph({ ...target, uri: neo4jUri });
    const profilesOf = storedProfiles(graph.shared);
    const records = runRecords(graph.shared);
    const scorer: Scorer = {
      graph,
      projects: { project: async (id) => projects.get(id) as never }, // the fields that the scorer looks at
      // Other tests have profiles of their own in this database.
      profiles: {
        ...profilesOf,
        all: async () => (await profilesOf.all()).filter(({ projectId }) => projects.has(projectId)),
      },
      records: {
        ...records,
        all: async () => (await records.all()).filter(({ projectId }) => projects.has(projectId)),
      },
      settings: {
        constants: defaultConstants,
        batchSize: 1_000,
        rangeSize: 50_000,
        minShare: 0.5,
        pacePercent: 100,
        ...more,
      },
      log: service.log,
      metrics,
      recordRun: async () => undefined,
      now,
    };
    const started = startScorer(
      scorer,
      {
        redisUrl: settings.REDIS_URL,
        concurrency: 4,
        takeoverMs: 1_000,
        scale: 1,
        reconcileMs: 200,
        queue,
        ...more,
      },
      service,
    );
    const running: TestScorer = {
      service,
      scorer,
      close: async () => {
        scorers.delete(running);
        await started.close();
        await service.close();
        if (graph !== shared) await graph.close();
      },
    };
    scorers.add(running);
    return running;
  };

  return {
    graph: shared,
    project,
    start,
    close: async () => {
      for (const each of scorers) await each.close();
      for (const { pk } of projects.values())
        if (pk !== "")
          await inShared(
            `MATCH (n:${[projectLabel(projectKey(pk)), typeLabel("_TrustScore", projectKey(pk))].map(quoteName).join("|")}) DETACH DELETE n`,
          );
      await inShared(`MATCH (r:${recordLabel}) WHERE r.id IN $ids DELETE r`, {
        ids: [...profiles, ...projects.keys()],
      });
      await inShared(`MATCH (r:${trustRunLabel}) WHERE r.project_id IN $ids DELETE r`, {
        ids: [...projects.keys()],
      });
      await inShared("MATCH (g:_TrustRange) WHERE any(id IN $ids WHERE g.key STARTS WITH id) DELETE g", {
        ids: [...projects.keys()],
      });
      const service = await startService("trust-scorer", settings);
      const keys = await service.redis.keys(`ikg:${queue}-*`);
      if (keys.length > 0) await service.redis.del(...keys);
      service.redis.disconnect();
      await shared.close();
    },
  };
};
