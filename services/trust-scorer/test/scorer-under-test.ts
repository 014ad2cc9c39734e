import { randomBytes, randomUUID } from "node:crypto";
import { type Gid, newGid } from "@ikg/contracts";
import { type Connection, connectGraph, type Graph, type Row } from "@ikg/graph";
import {
  keyField,
  newProjectKey,
  nodeLabel,
  type ProjectKey,
  projectKey,
  recordLabel,
  trustRunLabel,
} from "@ikg/physical";
import { BaseSettings, graphSettings, type Service, startService } from "@ikg/service";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { storedProfiles } from "../src/profiles/profile.ts";
import { runRecords } from "../src/runs/run-record.ts";
import { defaultConstants } from "../src/score/constants.ts";
import type { Scorer, ScorerSettings, ScorerMetrics } from "../src/scorer.ts";
import { startScorer, type StartSettings } from "../src/start.ts";
import { type KnownProject, options, StoredTestProject, type TestProject } from "./test-project.ts";

export const testSettings = () =>
  BaseSettings.parse({
    PORT: "0",
    LOG_LEVEL: "error",
    ...neo4jVariables(),
    REDIS_URL: requireVariable("REDIS_URL"),
    DRAIN_DELAY_MS: "0",
  });

export interface TestBed {
  readonly graph: Graph;
  /**
   * @param isStored with a record, for scorers in processes of their own.
   * @param organizationId by default that of an organization with this project alone.
   */
  project(connection?: Connection, isStored?: boolean, organizationId?: Gid): Promise<TestProject>;
  /** A scorer of this bed's projects alone, with queues of its own. */
  start(settings?: Partial<ScorerSettings & StartSettings & Around>): Promise<TestScorer>;
  /** Removes all projects. Later ones use their keys again: the database has planned the texts with their labels already. */
  removeProjects(): Promise<void>;
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

/** The projects of a test bed on the databases of the environment, and its scorers. */
class OpenTestBed implements TestBed {
  readonly graph: Graph;
  readonly #settings: ReturnType<typeof testSettings>;
  readonly #queue = `trust-test-${randomUUID().slice(0, 8)}`;
  readonly #projects = new Map<string, KnownProject>();
  /** Keys of removed projects. */
  readonly #keys: ProjectKey[] = [];
  readonly #profiles = new Set<Gid>();
  readonly #scorers = new Set<TestScorer>();

  constructor(graph: Graph, settings: ReturnType<typeof testSettings>) {
    this.graph = graph;
    this.#settings = settings;
  }

  async project(
    connection?: Connection,
    isStored = false,
    organizationId = newGid("organization"),
  ): Promise<TestProject> {
    const id = newGid("project");
    const pk =
      connection === undefined ? (this.#keys.pop() ?? newProjectKey(randomBytes(8))) : projectKey("");
    const known = { id, pk, organizationId, ikgStatus: "ACTIVE", connection };
    this.#projects.set(id, known);
    const project = new StoredTestProject(known, this.graph, (profile) => this.#profiles.add(profile));
    if (isStored) await project.store();
    return project;
  }

  async start(changes: Partial<ScorerSettings & StartSettings & Around> = {}): Promise<TestScorer> {
    const { neo4jUri } = changes;
    const service = await startService("trust-scorer", this.#settings);
    const graph =
      neo4jUri === undefined ? this.graph : connectGraph({ ...graphSettings(this.#settings), uri: neo4jUri });
    const scorer = this.#scorerOf(graph, service, changes);
    const defaults = { concurrency: 4, takeoverMs: 1_000, scale: 1, reconcileMs: 200, queue: this.#queue };
    const started = startScorer(
      scorer,
      { redisUrl: this.#settings.REDIS_URL, ...defaults, ...changes },
      service,
    );
    const running: TestScorer = {
      service,
      scorer,
      close: async () => {
        this.#scorers.delete(running);
        await started.close();
        await service.close();
        if (graph !== this.graph) await graph.close();
      },
    };
    this.#scorers.add(running);
    return running;
  }

  async removeProjects(): Promise<void> {
    await this.#removeData();
    // The first key is the next one again: it is the one with which most texts are planned.
    for (const { pk } of [...this.#projects.values()].toReversed()) if (pk !== "") this.#keys.push(pk);
    this.#projects.clear();
    this.#profiles.clear();
  }

  async close(): Promise<void> {
    for (const each of this.#scorers) await each.close();
    await this.#removeData();
    const service = await startService("trust-scorer", this.#settings);
    const keys = await service.redis.keys(`ikg:${this.#queue}-*`);
    if (keys.length > 0) await service.redis.del(...keys);
    service.redis.disconnect();
    await this.graph.close();
  }

  /** Other tests have projects and profiles of their own in the same database. */
  #ownOnly<T extends { readonly projectId: string }>(all: () => Promise<readonly T[]>): () => Promise<T[]> {
    return async () => (await all()).filter(({ projectId }) => this.#projects.has(projectId));
  }

  #existing(id: string): KnownProject | undefined {
    const known = this.#projects.get(id);
    return known?.isDeleted === true ? undefined : known;
  }

  #scorerOf(
    graph: Graph,
    service: Service,
    { now = () => new Date(), metrics = silent, ...more }: Partial<ScorerSettings & Around>,
  ): Scorer {
    const profiles = storedProfiles(graph.shared);
    const records = runRecords(graph.shared);
    const defaults = { batchSize: 1_000, rangeSize: 50_000, minShare: 0.5, pacePercent: 100 };
    return {
      graph,
      projects: { project: async (id) => this.#existing(id) as never }, // the fields that the scorer reads
      profiles: { ...profiles, all: this.#ownOnly(() => profiles.all()) },
      records: { ...records, all: this.#ownOnly(() => records.all()) },
      settings: { constants: defaultConstants, ...defaults, ...more },
      log: service.log,
      metrics,
      recordRun: async () => undefined,
      now,
    };
  }

  async #removeData(): Promise<void> {
    const run = (text: string, params: Row = {}): Promise<Row[]> =>
      this.graph.shared.write((tx) => tx.run(text, params), options);
    const ids = [...this.#projects.keys()];
    for (const { pk } of this.#projects.values()) {
      if (pk === "") continue;
      await run(`MATCH (n:${nodeLabel}) WHERE n.${keyField} STARTS WITH $prefix DETACH DELETE n`, {
        prefix: `${pk}/`,
      });
    }
    await run(`MATCH (r:${recordLabel}) WHERE r.id IN $ids DELETE r`, { ids: [...this.#profiles, ...ids] });
    await run(`MATCH (r:${trustRunLabel}) WHERE r.project_id IN $ids DELETE r`, { ids });
    await run("MATCH (g:_TrustRange) WHERE any(id IN $ids WHERE g.key STARTS WITH id) DELETE g", { ids });
  }
}

/** Opens projects and scorers for a test, on the databases of the environment. */
export const openTestBed = async (): Promise<TestBed> => {
  const settings = testSettings();
  const graph = connectGraph(graphSettings(settings), {}, async (host) => host);
  await graph.prepare();
  return new OpenTestBed(graph, settings);
};
