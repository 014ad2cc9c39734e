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
import type { ChainState } from "../store/chains.ts";
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
  readonly told: {
    stored(events: number): void;
    /** What of all chains waits. */
    waiting(waiting: Waiting): void;
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

/** What a record about signing names. */
const named = ({ configId, provider }: ActiveSigning, kid: string) => ({
  ...(configId === undefined ? {} : { config_id: configId }),
  provider,
  kid,
});

export const chainWriter = (parts: WriterParts, project: string): ChainWriter => {
  const { redis, chains, settings, log, now } = parts;
  const stream = streamKey(project);
  let known: ChainState | undefined;
  let outage: Outage | undefined;
  let organization = "";

  const state = async (): Promise<ChainState> => {
    if (known === undefined) {
      const taken = await chains.take(project, organization);
      // From here on nobody else stores: what the stream holds afterwards is not stored yet.
      await removeStoredEntries(redis, chains, taken);
      known = taken;
      // What another writer has met goes on; it is tried at once.
      if (outage === undefined && known.failingSince !== undefined)
        outage = { since: known.failingSince.getTime(), waitMs: settings.retryMinMs, until: 0 };
    }
    return known;
  };

  /** What is stored need not wait any longer; when this fails, whoever takes the chain next looks what is stored. */
  const removeUpTo = (entries: readonly Entry[], position: string) =>
    removeEntries(redis, project, idsUpTo(entries, position));

  const failed = async (fault: SigningFault): Promise<void> => {
    const at = now().getTime();
    const waitMs =
      outage === undefined ? settings.retryMinMs : Math.min(outage.waitMs * 2, settings.retryMaxMs);
    outage = { since: outage?.since ?? at, waitMs, until: at + waitMs };
    parts.signers.renew(project);
    parts.told.failed(fault.reason);
    log.error("audit records cannot be signed; they wait", {
      audit_signing_failed: true,
      project,
      reason: fault.reason,
      error: fault,
      retry_ms: waitMs,
    });
    const chain = await state();
    if (chain.failingSince !== undefined) return;
    const active = await activeSigning(parts.database, parts.keys, project);
    const data = { ...named(active, active.kid ?? ""), reason: fault.reason };
    await parts.emit(signingRecord("audit.signing.failed", project, data, now()), organization);
    known = await chains.markFailing(chain, new Date(outage.since));
  };

  /** Records about signing itself that belong into this batch. */
  const notes = ({ active, registered }: SigningKey, chain: ChainState): AuditRecord[] => {
    const { kid } = registered.jwk;
    const data = named(active, kid);
    return [
      ...(outage === undefined ? [] : [signingRecord("audit.signing.recovered", project, data, now())]),
      ...(chain.kid === undefined || chain.kid === kid
        ? []
        : [signingRecord("audit.signing.rotated", project, data, now())]),
    ];
  };

  const store = async (entries: readonly Entry[], cut: Cut): Promise<Turn> => {
    const chain = await state();
    const key = await signingKeyOf(parts, project);
    const told = notes(key, chain).map(canonical);
    const { events, position, full, bytes } = told.length === 0 ? cut : cutBatch(entries, told);
    const data = `[${events.join(",")}]`;
    const link = {
      project_id: project,
      sequence: chain.sequence + 1,
      prev_hash: chain.headHash,
      data_hash: sha256(data),
      batch_id: newUuid(),
    };
    const { kid, alg } = key.registered.jwk;
    const manifest = await signed<Manifest>(
      "manifest",
      {
        ...link,
        manifest_id: newUuid(),
        head_hash: headHash(link),
        created_at: now().toISOString(),
        kid,
        alg,
      },
      key,
    );
    known = await chains.append(chain, { manifest, data, position, key: key.registered });
    if (outage !== undefined) log.info("audit records are signed again", { project });
    outage = undefined;
    parts.told.stored(events.length);
    await removeUpTo(entries, position);
    return { bytes, more: full };
  };

  const turn = async (waiting: WaitingChain): Promise<Turn> => {
    if (outage !== undefined && now().getTime() < outage.until) return nothing;
    const isFull = waiting.records >= mostEvents || waiting.bytes >= mostBytes;
    // What is not due is not read: each entry is read once.
    if (!isFull && now().getTime() - waiting.since < settings.batchMs) return nothing;
    if (organization === "") {
      const [first] = (await redis.xrange(stream, "-", "+", "COUNT", 1)) as Entry[];
      if (first === undefined) return nothing;
      organization = cutBatch([first]).organization;
    }
    await state();
    const { entries, full } = await readEntries(redis, project);
    if (entries.length === 0) return nothing;
    const read = cutBatch(entries);
    const cut = { ...read, full: read.full || full };
    for (const entry of cut.unreadable)
      log.error("an entry of a stream is no record; it is left out", { audit_lost: true, project, entry });
    if (cut.events.length === 0) {
      await removeUpTo(entries, cut.position);
      return { bytes: 0, more: true };
    }
    return store(entries, cut);
  };

  return {
    project,
    state,
    pendingMs: () => (outage === undefined ? 0 : now().getTime() - outage.since),
    turn: async (waiting) => {
      try {
        return await turn(waiting);
      } catch (error) {
        if (error instanceof SigningFault) {
          await failed(error);
          return nothing;
        }
        // Whether it was stored or not is read anew from the database.
        known = undefined;
        throw error;
      }
    },
  };
};
