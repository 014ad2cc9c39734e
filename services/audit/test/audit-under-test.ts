import { generateKeyPairSync, randomBytes } from "node:crypto";
import {
  type AuditRecord,
  type Batch,
  chainsKey,
  checkChain,
  type Checkpoint,
  countEntries,
  type Emission,
  type Manifest,
  openEmission,
  streamKey,
  type ChainVerification,
} from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type Caller, type Gid, newGid, type SigningProvider } from "@ikg/contracts";
import { connectGraph, type Graph, type Row } from "@ikg/graph";
import { keyRing, seal } from "@ikg/secrets";
import { graphSettings } from "@ikg/service";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { gatewayOfTests, keysOfTests, targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openAudit } from "../src/service.ts";
import { AuditSettings } from "../src/settings.ts";

export const newPlatformKey = (): string =>
  JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }));

/**
 * Of this process of tests alone. Files that start the service run one at a time: chains of another Redis database count as
 * streams that were replaced, so each would take, record and sign those of the other.
 */
const redisDatabase = 11 + Number(requireVariable("IKG_TEST_PROCESS"));

/** Settings of an audit service of these tests. */
export const testVariables = (): Record<string, string> => ({
  PORT: "0",
  LOG_LEVEL: "error",
  ...neo4jVariables(),
  REDIS_URL: `${requireVariable("REDIS_URL").replace(/\/\d+$/, "")}/${redisDatabase}`,
  ...keysOfTests,
  CONFIG_ENCRYPTION_KEY: encryptionKey,
  DRAIN_DELAY_MS: "0",
  AUDIT_PLATFORM_KEY_JWK: platformKey,
  AUDIT_BATCH_MS: "100",
  AUDIT_POLL_MS: "20",
  AUDIT_LEASE_MS: "1000",
  AUDIT_RETRY_MIN_MS: "50",
  AUDIT_RETRY_MAX_MS: "200",
});

const encryptionKey = randomBytes(32).toString("base64");
const platformKey = newPlatformKey();

export interface Answer {
  readonly status: number;
  readonly body: Row;
}

export interface StoredChain {
  readonly keys: { readonly keys: readonly unknown[] };
  readonly manifests: readonly Manifest[];
  readonly batches: readonly Batch[];
  readonly checkpoints: readonly Checkpoint[];
}

export interface TestSigning {
  readonly provider: SigningProvider;
  readonly keyResource: string;
  readonly kid: string;
  readonly authParams?: Readonly<Record<string, string>>;
}

export interface TestBed {
  readonly graph: Graph;
  readonly redis: Redis;
  readonly organization: Gid;
  project(): Gid;
  start(
    variables?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
  emit(project: Gid, names: readonly string[]): Promise<void>;
  keep(records: readonly AuditRecord[]): Promise<void>;
  agent(project: Gid): Caller;
  account(organization?: Gid): Caller;
  ask(url: string, path: string, caller?: Caller): Promise<Answer>;
  /** The headers of a caller's request to an endpoint. */
  headersOf(caller: Caller, target: ReturnType<typeof targetOf>): Promise<Record<string, string>>;
  /** Everything of a chain, over the endpoints. */
  read(url: string, project: Gid): Promise<StoredChain>;
  /** The same, once what its records are called is as wanted. @param withinMs default: 30 s */
  chainWith(
    url: string,
    project: Gid,
    isWanted: (names: readonly string[]) => boolean,
    withinMs?: number,
  ): Promise<StoredChain>;
  /** Waits until nothing of a chain waits in Redis. */
  drained(project: string): Promise<void>;
  run(text: string, params?: Row): Promise<Row[]>;
  /** Stores an audit signing configuration as configs does, or a new version of one. */
  configure(project: Gid, signing: TestSigning, id?: Gid): Promise<Gid>;
  unconfigure(id: Gid): Promise<void>;
  close(): Promise<void>;
}

/** What the records of a test are called, in the order of the chain. */
export const namesOf = (chain: StoredChain): readonly string[] =>
  chain.batches.flatMap(({ data }) =>
    data.map((event) =>
      event["type"] === "audit.config.create"
        ? String((event["data"] as Row)["name"]) // by newRecord
        : String(event["type"]),
    ),
  );

export const verify = async (chain: StoredChain, partial = false): Promise<ChainVerification> => {
  const check = checkChain({ partial });
  for (const jwk of chain.keys.keys) await check.key(jwk as never); // as the service answers them
  for (const manifest of chain.manifests) await check.manifest(manifest);
  for (const batch of chain.batches) await check.batch(batch);
  for (const checkpoint of chain.checkpoints) await check.checkpoint(checkpoint);
  return check.end();
};

/** How long tests wait for what the service does. */
export const waitLimits = { withinMs: 30_000, everyMs: 30 };

const testEmission = (redis: Redis): Emission =>
  openEmission({
    redis,
    log: { error: (message) => void process.stderr.write(`${message}\n`) },
    deadlineMs: 5_000,
    unbounded: true,
    onLost: () => {
      throw new Error("a record of a test is lost");
    },
  });

/** An emission as services have one, with room for slow tests, that counts what is lost. */
export const openCountedEmission = (
  redis: Redis,
): Pick<Emission, "emit"> & { readonly lost: () => number } => {
  let lost = 0;
  const { emit } = openEmission({
    redis,
    log: { error: () => undefined },
    deadlineMs: 10_000,
    onLost: () => void (lost += 1),
  });
  return { emit, lost: () => lost };
};

const sign = signInternalContext(gatewayOfTests.privateKey, "gateway");
const sealing = keyRing(Buffer.from(encryptionKey, "base64"));

class OpenTestBed implements TestBed {
  readonly graph: Graph;
  readonly redis: Redis;
  readonly organization = newGid("organization");
  readonly #emission: Emission;
  readonly #chains = new Set<Gid>([this.organization]);
  readonly #running = new Set<{ close(): Promise<void> }>();
  #version = 0;

  constructor(graph: Graph, redis: Redis) {
    this.graph = graph;
    this.redis = redis;
    this.#emission = testEmission(redis);
  }

  project(): Gid {
    const project = newGid("project");
    this.#chains.add(project);
    return project;
  }

  run(text: string, params: Row = {}): Promise<Row[]> {
    return this.graph.shared.write((tx) => tx.run(text, params), { timeoutMs: 60_000 });
  }

  async start(variables: Readonly<Record<string, string>> = {}) {
    const { service, port } = await openAudit(AuditSettings.parse({ ...testVariables(), ...variables }));
    const started = {
      url: `http://127.0.0.1:${port}`,
      close: async () => {
        this.#running.delete(started);
        await service.close();
      },
    };
    this.#running.add(started);
    return started;
  }

  emit(project: Gid, names: readonly string[]): Promise<void> {
    return this.keep(names.map((name) => newRecord(project, name)));
  }

  async keep(records: readonly AuditRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.#emission.emit(record, this.organization)));
  }

  agent(project: Gid): Caller {
    return {
      kind: "agent",
      credential_kid: "k",
      org: this.organization,
      project,
      application: newGid("application"),
      agent: newGid("application_agent"),
      permissions: ["Audit"],
    };
  }

  account(org: Gid = this.organization): Caller {
    return {
      kind: "service_account",
      credential_kid: "k",
      org,
      service_account: newGid("service_account"),
      role: "all_viewer",
    };
  }

  async ask(url: string, path: string, caller?: Caller): Promise<Answer> {
    const headers: Record<string, string> =
      caller === undefined ? {} : await this.headersOf(caller, targetOf("audit", "GET", path));
    const response = await fetch(`${url}${path}`, { headers });
    return { status: response.status, body: (await response.json()) as Row }; // every response is an object
  }

  async headersOf(caller: Caller, target: ReturnType<typeof targetOf>): Promise<Record<string, string>> {
    return { [internalContextHeader]: await sign(caller, target) };
  }

  async read(url: string, project: Gid): Promise<StoredChain> {
    const manifests = await this.#all<Manifest>(url, "manifests", project);
    // What was added meanwhile is left to the next read.
    const known = <T extends { readonly sequence: number }>(items: readonly T[]): T[] =>
      items.filter(({ sequence }) => sequence <= manifests.length);
    const batches = known(await this.#all<Batch>(url, "logs", project));
    const checkpoints = known(await this.#all<Checkpoint>(url, "checkpoints", project)).toReversed();
    const used = new Set([...manifests, ...checkpoints].map(({ kid }) => kid));
    // Read after the signed parts, so that none of their keys is missing.
    const { body } = await this.ask(url, `/audit/.well-known/jwks.json?project_id=${project}`);
    const keys = (body["keys"] as { kid: string }[]).filter(({ kid }) => used.has(kid)); // RFC 7517
    return { manifests, batches, checkpoints, keys: { keys } };
  }

  chainWith(
    url: string,
    project: Gid,
    isWanted: (names: readonly string[]) => boolean,
    withinMs = waitLimits.withinMs,
  ): Promise<StoredChain> {
    return eventually(
      () => this.read(url, project),
      (chain) => isWanted(namesOf(chain)),
      { ...waitLimits, withinMs },
    );
  }

  async drained(project: string): Promise<void> {
    await eventually(
      () => this.redis.xlen(streamKey(project)),
      (length) => length === 0,
      waitLimits,
    );
  }

  async configure(
    project: Gid,
    { provider, keyResource, kid, authParams = {} }: TestSigning,
    id = newGid("audit_signing"),
  ): Promise<Gid> {
    const auth_params = seal(sealing, { record: id, field: "auth_params" }, JSON.stringify(authParams));
    const data = JSON.stringify({ provider, key_resource: keyResource, kid, auth_params });
    const version = ++this.#version;
    const r = { id, project_id: project, version, update_time: new Date().toISOString(), data };
    await this.run("MERGE (r:_Record:_AuditSigning {id: $id}) SET r = $r", { id, r });
    return id;
  }

  async unconfigure(id: Gid): Promise<void> {
    await this.run("MATCH (r:_AuditSigning {id: $id}) DELETE r", { id });
  }

  async close(): Promise<void> {
    for (const each of this.#running) await each.close();
    const ids = [...this.#chains];
    await this.run(
      `MATCH (n:_AuditChain|_AuditKey|_AuditBatch|_AuditCheckpoint|_AuditSigning|_AuditSpill|_AuditOutbox) WHERE n.project_id IN $ids
       OR any(id IN $ids WHERE n.key STARTS WITH id) DETACH DELETE n`,
      { ids },
    );
    for (const id of ids) {
      await this.redis.del(streamKey(id), `audit:writer:${id}`);
      await countEntries(this.redis, id);
      await this.redis.srem(chainsKey, id);
    }
    this.redis.disconnect();
    await this.graph.close();
  }

  async #all<T>(url: string, name: string, project: Gid): Promise<T[]> {
    const items: T[] = [];
    for (let cursor = ""; ;) {
      const path = `/audit/v1/${name}?project_id=${project}&cursor=${cursor}`;
      const { body } = await this.ask(url, path, this.agent(project));
      items.push(...(body["items"] as T[])); // as the endpoint returns them
      if (body["has_more"] !== true) return items;
      cursor = String(body["next_cursor"]);
    }
  }
}

/** @param redisUrl of a Redis of the test's own, which its services are started with as well */
export const openTestBed = async (redisUrl?: string): Promise<TestBed> => {
  const own = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  const settings = AuditSettings.parse({ ...testVariables(), ...own });
  const graph = connectGraph(graphSettings(settings), {}, async (host) => host);
  await graph.prepare();
  const redis = new Redis(settings.REDIS_URL);
  // A Redis of a test's own may be away for a while.
  redis.on("error", () => undefined);
  return new OpenTestBed(graph, redis);
};
