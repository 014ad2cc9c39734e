import {
  type AuditRecord,
  canonical,
  headHash,
  type Manifest,
  sha256,
  streamKey,
  removeEntries,
} from "@ikg/audit";
import { newUuid } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { type ActiveSigning, activeSigning } from "../signing/active-signing.ts";
import { SigningFault } from "../signing/signer.ts";
import type { ChainState } from "../store/chain-state.ts";
import { type Cut, cutBatch, type Entry, idsUpTo, mostBytes, mostEvents } from "./cut.ts";
import type { Turn } from "./fair-turns.ts";
import { readEntries } from "./read.ts";
import { signed, type SigningKey, signingKeyOf, type SigningParts } from "./sign.ts";
import { removeStoredEntries } from "./stored-entries.ts";
import { signingRecord } from "./system-record.ts";

export interface WriterParts extends SigningParts {
  readonly redis: Redis;
  readonly settings: {
    readonly batchMs: number;
    readonly retryMinMs: number;
    readonly retryMaxMs: number;
  };
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
    failed(reason: string): void;
  };
  readonly now: () => Date;
}

/** Records that wait in streams, and their bytes. */
export interface Waiting {
  readonly records: number;
  readonly bytes: number;
}

/** The records of one chain that wait. */
export interface WaitingChain extends Waiting {
  /** Since when this process knows of them, in milliseconds of `now`: whose the chain was meanwhile does not matter. */
  readonly since: number;
}

const nothing: Turn = { bytes: 0, more: false };

/** Since when a chain cannot be signed, and when it is tried again. */
interface Outage {
  readonly since: number;
  readonly waitMs: number;
  readonly until: number;
}

/** The writer of one chain, as long as its lease lasts. */
export interface ChainWriter {
  readonly project: string;
  /** Stores one batch, if one is ready. */
  turn(waiting: WaitingChain): Promise<Turn>;
  /** Milliseconds for which its records wait for a signature. */
  pendingMs(): number;
  /** The state that its lease stands for. */
  state(): Promise<ChainState>;
}

/** What the writer of a chain knows, between one call and the next. */
interface OpenChain {
  readonly parts: WriterParts;
  readonly project: string;
  /** As the database has it; undefined when it has to be read again. */
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
  await removeStoredEntries(redis, chains, taken);
  chain.state = taken;
  // An outage that another writer met continues; the next attempt is at once.
  if (chain.outage === undefined && taken.failingSince !== undefined)
    chain.outage = { since: taken.failingSince.getTime(), waitMs: settings.retryMinMs, until: 0 };
  return taken;
};

/** Stored records need not wait any longer; when this fails, the next writer of the chain removes them. */
const removeUpTo = (
  { parts, project }: OpenChain,
  entries: readonly Entry[],
  position: string,
): Promise<unknown> => removeEntries(parts.redis, project, idsUpTo(entries, position));

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
const signingFields = ({ configId, provider }: ActiveSigning, kid: string) => ({
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
  const active = await activeSigning(parts.database, parts.keys, project);
  const data = { ...signingFields(active, active.kid ?? ""), reason: fault.reason };
  await parts.emit(signingRecord("audit.signing.failed", project, data, now()), chain.organization);
  chain.state = await chains.markFailing(state, new Date(outage.since));
};

/** Records about signing itself that belong into the next batch. */
const signingRecords = (
  { outage, project, parts }: OpenChain,
  { active, registered }: SigningKey,
  state: ChainState,
): AuditRecord[] => {
  const { kid } = registered.jwk;
  const data = signingFields(active, kid);
  const recovered = outage !== undefined;
  const rotated = state.kid !== undefined && state.kid !== kid;
  return [
    ...(recovered ? [signingRecord("audit.signing.recovered", project, data, parts.now())] : []),
    ...(rotated ? [signingRecord("audit.signing.rotated", project, data, parts.now())] : []),
  ];
};

const signManifest = (
  { project, parts }: OpenChain,
  { sequence, headHash: prev_hash }: ChainState,
  data: string,
  key: SigningKey,
): Promise<Manifest> => {
  const link = {
    project_id: project,
    sequence: sequence + 1,
    prev_hash,
    data_hash: sha256(data),
    batch_id: newUuid(),
  };
  const { kid, alg } = key.registered.jwk;
  const created_at = parts.now().toISOString();
  return signed<Manifest>(
    "manifest",
    { ...link, manifest_id: newUuid(), head_hash: headHash(link), created_at, kid, alg },
    key,
  );
};

/** Signs and stores one batch, and removes its records from the stream. */
const storeBatch = async (chain: OpenChain, entries: readonly Entry[], cut: Cut): Promise<Turn> => {
  const { parts, project } = chain;
  const state = await takeChain(chain);
  const key = await signingKeyOf(parts, project);
  const own = signingRecords(chain, key, state).map(canonical);
  const { events, position, full, bytes } = own.length === 0 ? cut : cutBatch(entries, own);
  const data = `[${events.join(",")}]`;
  const manifest = await signManifest(chain, state, data, key);
  chain.state = await parts.chains.append(state, { manifest, data, position, key: key.registered });
  if (chain.outage !== undefined) parts.log.info("audit records are signed again", { project });
  chain.outage = undefined;
  parts.metrics.stored(events.length);
  await removeUpTo(chain, entries, position);
  return { bytes, more: full };
};

/** True when the records of a chain are due. Each entry is read once, so what is not due is not read. */
const isDue = ({ outage, parts }: OpenChain, { records, bytes, since }: WaitingChain): boolean => {
  const at = parts.now().getTime();
  if (outage !== undefined && at < outage.until) return false;
  return records >= mostEvents || bytes >= mostBytes || at - since >= parts.settings.batchMs;
};

/** Learns the organization of a chain from its first record. @returns false when there is none */
const readOrganization = async (chain: OpenChain): Promise<boolean> => {
  if (chain.organization !== "") return true;
  const { redis } = chain.parts;
  const [first] = (await redis.xrange(streamKey(chain.project), "-", "+", "COUNT", 1)) as Entry[];
  if (first === undefined) return false;
  chain.organization = cutBatch([first]).organization;
  return true;
};

const takeTurn = async (chain: OpenChain, waiting: WaitingChain): Promise<Turn> => {
  if (!isDue(chain, waiting) || !(await readOrganization(chain))) return nothing;
  const { parts, project } = chain;
  await takeChain(chain);
  const { entries, full } = await readEntries(parts.redis, project);
  if (entries.length === 0) return nothing;
  const read = cutBatch(entries);
  const cut = { ...read, full: read.full || full };
  for (const entry of cut.unreadable)
    parts.log.error("an entry of a stream is no record; it is left out", {
      audit_lost: true,
      project,
      entry,
    });
  if (cut.events.length > 0) return storeBatch(chain, entries, cut);
  await removeUpTo(chain, entries, cut.position);
  return { bytes: 0, more: true };
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
