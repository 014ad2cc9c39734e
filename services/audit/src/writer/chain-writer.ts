import {
  type AuditRecord,
  canonical,
  headHash,
  type Manifest,
  removeEntries,
  sha256,
  streamKey,
} from "@ikg/audit";
import { newUuid } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { type SigningConfiguration, signingConfiguration } from "../signing/active-signing.ts";
import { SigningFault } from "../signing/signer.ts";
import type { ChainState, SpilledBatch } from "../store/chain-state.ts";
import { type Entry, itemOfEntry, mergeByTime, type WaitingItem } from "../store/waiting-item.ts";
import { bytesOf, type Cut, cutBatch, maxBatchBytes, maxBatchEvents } from "./cut.ts";
import type { Turn } from "./fair-turns.ts";
import { readEntries } from "./read.ts";
import { openBatch, sealBatch, spillKey } from "./sealed-batch.ts";
import { signArtefact, type SigningKey, signingKeyOf, type SigningParts } from "./sign.ts";
import { removeStoredEntries } from "./stored-entries.ts";
import type { Streams } from "./streams.ts";
import { systemRecord } from "./system-record.ts";

export interface WriterParts extends SigningParts {
  readonly redis: Redis;
  readonly settings: {
    readonly batchMs: number;
    readonly retryMinMs: number;
    readonly retryMaxMs: number;
    /** Bytes of sealed batches of one chain at most. */
    readonly spilledBytes: number;
  };
  /** The current streams. */
  readonly streams: () => Streams;
  readonly log: {
    info(message: string, fields: Readonly<Record<string, unknown>>): unknown;
    warn(message: string, fields: Readonly<Record<string, unknown>>): unknown;
    error(message: string, fields: Readonly<Record<string, unknown>>): unknown;
  };
  readonly emit: (record: AuditRecord, organization: string) => Promise<void>;
  readonly metrics: {
    stored(events: number): void;
    /** Chains with records that wait. */
    waiting(chains: ReadonlyMap<string, Waiting>): void;
    /** Bytes of those that wait in the database for a signature. */
    spilled(bytes: number): void;
    failed(reason: string): void;
  };
  readonly now: () => Date;
}

/** Records that wait, and their bytes. */
export interface Waiting {
  readonly records: number;
  readonly bytes: number;
}

/** The waiting records of one chain. */
export interface WaitingChain extends Waiting {
  /**
   * When this process first saw some of them, or last stored or sealed some itself, in milliseconds of `now`. Batches of another
   * process do not change it.
   */
  readonly since: number;
  /** The waiting records of all projects use a large part of the bytes allowed in Redis. */
  readonly isRedisFilling: boolean;
  /** Sealed batches wait in the database. */
  readonly isSpilled: boolean;
  /** Its last batch came from streams that were replaced since, which the chain must record even if no record waits. */
  readonly hasReplacedStreams: boolean;
}

/** What a turn of a chain did, and what it took from the records that wait: stored, sealed, or removed as unreadable. */
export interface ChainTurn extends Turn {
  readonly intake: Waiting;
}

const nothing: ChainTurn = { bytes: 0, more: false, isUnsigned: true, intake: { records: 0, bytes: 0 } };

/** @param own the events of a batch that did not wait. */
const intakeOf = ({ events, unreadable, bytes }: Cut, own: readonly string[] = []): Waiting => ({
  records: events.length - own.length + unreadable.length,
  bytes: bytes - bytesOf(own),
});

/** An outage of signing: its beginning and the time of the next attempt. */
interface Outage {
  readonly since: number;
  readonly waitMs: number;
  readonly until: number;
}

/** The writer of one chain, as long as its lease lasts. */
export interface ChainWriter {
  readonly project: string;
  /** Stores one batch, if one is ready. */
  turn(waiting: WaitingChain): Promise<ChainTurn>;
  /** Milliseconds for which its records wait for a signature. */
  pendingMs(): number;
  /** The state that its lease stands for. */
  state(): Promise<ChainState>;
}

/** The state of a chain's writer between calls. */
interface OpenChain {
  readonly parts: WriterParts;
  readonly project: string;
  /** The stored state; undefined when it must be read again. */
  state: ChainState | undefined;
  outage: Outage | undefined;
  /** Empty until the first record is read. */
  organization: string;
}

/** Takes the chain in the database, unless this writer has it. */
const takeChain = async (chain: OpenChain): Promise<ChainState> => {
  if (chain.state !== undefined) return chain.state;
  const { redis, chains, settings } = chain.parts;
  const taken = await chains.take(chain.project, chain.organization);
  // From here on no other writer stores: what the stream holds afterwards is not stored yet.
  await removeStoredEntries(redis, { chains, keys: chain.parts.keys }, taken);
  chain.state = taken;
  // An outage that another writer met continues; the next attempt is at once.
  if (chain.outage === undefined && taken.failingSince !== undefined)
    chain.outage = { since: taken.failingSince.getTime(), waitMs: settings.retryMinMs, until: 0 };
  return taken;
};

/** Stored records need not wait any longer; when this fails, the next writer of the chain removes them. */
const removeTaken = async ({ parts, project }: OpenChain, { entries }: Cut): Promise<void> => {
  if (entries.length > 0) await removeEntries(parts.redis, project, entries);
};

/** The outage after one more failure: pauses double up to the longest. */
const prolonged = (
  outage: Outage | undefined,
  { retryMinMs, retryMaxMs }: WriterParts["settings"],
  at: number,
): Outage => {
  const waitMs = outage === undefined ? retryMinMs : Math.min(outage.waitMs * 2, retryMaxMs);
  return { since: outage?.since ?? at, waitMs, until: at + waitMs };
};

/** Members that every record about signing has. */
const signingFields = ({ configId, provider }: SigningConfiguration, kid: string) => ({
  ...(configId === undefined ? {} : { config_id: configId }),
  provider,
  kid,
});

/** Postpones a chain that cannot be signed; the first failure of an outage is recorded. */
const noteFailure = async (chain: OpenChain, fault: SigningFault): Promise<void> => {
  const { parts, project } = chain;
  const { chains, log, metrics, now, settings, signers } = parts;
  const outage = prolonged(chain.outage, settings, now().getTime());
  chain.outage = outage;
  signers.renew(project);
  metrics.failed(fault.reason);
  log.error("audit records cannot be signed; they wait", {
    audit_signing_failed: true,
    project,
    reason: fault.reason,
    error: fault,
    retry_ms: outage.waitMs,
  });
  const state = await takeChain(chain);
  if (state.failingSince !== undefined) return;
  // Its secrets may be what does not open.
  const configuration = await signingConfiguration(parts.database, project);
  const data = { ...signingFields(configuration, configuration.kid ?? ""), reason: fault.reason };
  await parts.emit(systemRecord("audit.signing.failed", project, data, now()), chain.organization);
  chain.state = await chains.markFailing(state, new Date(outage.since));
};

/** The writer's own records for the next batch. @param current the streams that this batch will name */
const ownRecords = (
  { outage, project, parts }: OpenChain,
  { active, registered }: SigningKey,
  { kid: former, streams, batchTime }: ChainState,
  current: Streams,
): readonly string[] => {
  const { kid } = registered.jwk;
  const [data, now] = [signingFields(active, kid), parts.now()];
  const records: AuditRecord[] = [];
  if (streams !== undefined && streams !== current.id) {
    const gap = { ...(batchTime === undefined ? {} : { since: batchTime }), until: current.since };
    records.push(systemRecord("audit.streams.replaced", project, gap, now));
  }
  if (outage !== undefined) records.push(systemRecord("audit.signing.recovered", project, data, now));
  if (former !== undefined && former !== kid)
    records.push(systemRecord("audit.signing.rotated", project, data, now));
  return records.map(canonical);
};

const signManifest = async (
  { project, parts }: OpenChain,
  { sequence, headHash: prev_hash }: ChainState,
  data: string,
  key: SigningKey,
): Promise<Manifest> => {
  const link = {
    project_id: project,
    sequence: sequence + 1,
    prev_hash,
    data_hash: await sha256(data),
    batch_id: newUuid(),
  };
  const { kid, alg } = key.registered.jwk;
  const created_at = parts.now().toISOString();
  return signArtefact<Manifest>(
    "manifest",
    { ...link, manifest_id: newUuid(), head_hash: await headHash(link), created_at, kid, alg },
    key,
  );
};

/** What a batch is made of. */
interface BatchContents {
  /** Canonical text of the array of events. */
  readonly events: string;
  /** Those that `ownRecords` compared: if Redis is replaced while the batch is signed, the next batch records the gap. */
  readonly streams: Streams;
  readonly cut?: Cut;
  readonly spilled?: SpilledBatch;
}

/** Signs and stores a batch; the same transaction removes the stored records that it contains from where they waited. */
const append = async (
  chain: OpenChain,
  key: SigningKey,
  { events, streams, cut, spilled }: BatchContents,
): Promise<void> => {
  const { parts, project } = chain;
  const state = await takeChain(chain);
  const manifest = await signManifest(chain, state, events, key);
  chain.state = await parts.chains.append(state, {
    manifest,
    data: events,
    position: cut?.entries.at(-1),
    outbox: cut?.outbox ?? [],
    spilled,
    key: key.registered,
    streams: streams.id,
  });
  if (chain.outage !== undefined) parts.log.info("audit records are signed again", { project });
  chain.outage = undefined;
};

/** Stores the waiting records, with the writer's own first. */
const storeBatch = async (chain: OpenChain, items: readonly WaitingItem[], cut: Cut): Promise<ChainTurn> => {
  const { parts, project } = chain;
  const streams = parts.streams();
  const key = await signingKeyOf(parts, project);
  const own = ownRecords(chain, key, await takeChain(chain), streams);
  const whole = own.length === 0 ? cut : cutBatch(items, own);
  if (whole.events.length === 0) return nothing;
  await append(chain, key, { events: `[${whole.events.join(",")}]`, streams, cut: whole });
  parts.metrics.stored(whole.events.length);
  await removeTaken(chain, whole);
  return { bytes: whole.bytes, more: whole.full, intake: intakeOf(whole, own) };
};

/**
 * Signs and stores the first sealed batch of a chain, after a batch of the writer's own records, which may not fit into the
 * sealed one.
 */
const storeSpilled = async (chain: OpenChain): Promise<Turn> => {
  const { parts, project } = chain;
  const streams = parts.streams();
  const state = await takeChain(chain);
  const key = await signingKeyOf(parts, project);
  const own = ownRecords(chain, key, state, streams);
  if (own.length > 0) {
    await append(chain, key, { events: `[${own.join(",")}]`, streams });
    parts.metrics.stored(own.length);
  }
  const [spilled] = await parts.chains.spilled([spillKey(state, 0)]);
  if (spilled === undefined) throw new Error("a sealed batch of an audit chain is missing");
  await append(chain, key, { events: await openBatch(parts.keys, spilled), streams, spilled });
  parts.metrics.stored(spilled.records);
  return { bytes: spilled.bytes, more: true };
};

/** Seals waiting records in the database, after those sealed before, so that they do not fill Redis until they can be signed. */
const spill = async (chain: OpenChain): Promise<ChainTurn> => {
  const { parts } = chain;
  const state = await takeChain(chain);
  if (state.spill.bytes >= parts.settings.spilledBytes) return nothing;
  const { cut } = await readWaiting(chain);
  if (cut.events.length > 0) {
    const batch = await sealBatch(parts.keys, state, cut.events);
    chain.state = await parts.chains.spill(state, batch, {
      position: cut.entries.at(-1),
      outbox: cut.outbox,
    });
  }
  await removeTaken(chain, cut);
  return { bytes: cut.bytes, more: cut.full, isUnsigned: true, intake: intakeOf(cut) };
};

/** The first waiting items of a chain. */
const readWaiting = async (
  chain: OpenChain,
): Promise<{ readonly items: readonly WaitingItem[]; readonly cut: Cut }> => {
  const { parts, project } = chain;
  const [{ entries, full }, outbox] = await Promise.all([
    readEntries(parts.redis, project),
    parts.chains.outbox(project, maxBatchEvents),
  ]);
  const items = mergeByTime(entries.map(itemOfEntry), outbox);
  const read = cutBatch(items);
  for (const entry of read.unreadable)
    parts.log.error("an unreadable audit entry was skipped", {
      audit_lost: true,
      project,
      entry,
    });
  return { items, cut: { ...read, full: read.full || full } };
};

/** Records that cannot be signed are sealed in whole batches; fewer of them when they have waited for so long. */
const spillMs = 60_000;

const isFull = ({ records, bytes }: Waiting): boolean => records >= maxBatchEvents || bytes >= maxBatchBytes;

/** True while the key service is not to be tried again yet. */
const isPaused = ({ outage, parts }: OpenChain): boolean =>
  outage !== undefined && parts.now().getTime() < outage.until;

/** True when the records of a chain are due. Each entry is read once, so what is not due is not read. */
const isDue = (chain: OpenChain, waiting: WaitingChain): boolean => {
  const age = chain.parts.now().getTime() - waiting.since;
  if (isPaused(chain))
    return isFull(waiting) || (waiting.records > 0 && (waiting.isRedisFilling || age >= spillMs));
  if (waiting.isSpilled || waiting.hasReplacedStreams) return true;
  return isFull(waiting) || (waiting.records > 0 && age >= chain.parts.settings.batchMs);
};

/** Finds out the organization of a chain that may not be stored yet. @returns false when no waiting item names it */
const readOrganization = async (chain: OpenChain): Promise<boolean> => {
  if (chain.organization !== "") return true;
  const { redis, chains } = chain.parts;
  const [entries, outbox, stored] = await Promise.all([
    redis.xrange(streamKey(chain.project), "-", "+", "COUNT", 1) as Promise<Entry[]>,
    chains.outbox(chain.project, 1),
    chains.organization(chain.project),
  ]);
  const items = [...entries.map(itemOfEntry), ...outbox];
  chain.organization = stored ?? items.find(({ organization }) => organization !== "")?.organization ?? "";
  return chain.organization !== "" || items.length > 0;
};

const takeTurn = async (chain: OpenChain, waiting: WaitingChain): Promise<ChainTurn> => {
  if (!isDue(chain, waiting) || !(await readOrganization(chain))) return nothing;
  const { spill: spilled } = await takeChain(chain);
  if (isPaused(chain)) return spill(chain);
  if (spilled.count > 0) {
    // New records go behind the sealed ones, and must not fill Redis until these are signed.
    const { intake } = isFull(waiting) ? await spill(chain) : nothing;
    return { ...(await storeSpilled(chain)), intake };
  }
  const { items, cut } = await readWaiting(chain);
  if (cut.events.length > 0 || waiting.hasReplacedStreams) return storeBatch(chain, items, cut);
  await removeTaken(chain, cut);
  return { bytes: 0, more: cut.entries.length > 0, isUnsigned: true, intake: intakeOf(cut) };
};

export const chainWriter = (parts: WriterParts, project: string): ChainWriter => {
  const chain: OpenChain = { parts, project, state: undefined, outage: undefined, organization: "" };
  return {
    project,
    state: () => takeChain(chain),
    pendingMs: () => (chain.outage === undefined ? 0 : parts.now().getTime() - chain.outage.since),
    turn: async (waiting) => {
      try {
        return await takeTurn(chain, waiting);
      } catch (error) {
        if (error instanceof SigningFault) {
          await noteFailure(chain, error);
          return nothing;
        }
        // Whether it was stored or not is read again from the database.
        chain.state = undefined;
        throw error;
      }
    },
  };
};
