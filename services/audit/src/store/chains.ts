import type { Batch, Checkpoint, Manifest } from "@ikg/audit";
import type { Database, ResponseBudget, Row } from "@ikg/graph";
import { auditKeyKey, auditPlaceKey } from "@ikg/physical";
import {
  batchOf,
  batchRow,
  checkpointOf,
  manifestOf,
  type PackedBatch,
  packedBatchOf,
  registeredKeyOf,
  registration,
  spillRow,
  stateOf,
} from "./chain-rows.ts";
import {
  type ChainState,
  ChainOwnershipLost,
  type NewBatch,
  type RegisteredKey,
  type SpilledBatch,
  type ConsumedEntries,
} from "./chain-state.ts";
import {
  appendText,
  batchesBetweenTexts,
  batchesTexts,
  checkpointsText,
  checkpointText,
  dueText,
  failingText,
  forgetText,
  keysText,
  manifestsText,
  oneKeyText,
  type Order,
  organizationText,
  spillText,
  takenText,
  takeText,
  unspillText,
} from "./chain-statements.ts";
import { waitingReads } from "./waiting-reads.ts";

const options = { timeoutMs: 30_000 };

/** A part of a chain: what stands after a place, or before it. */
export interface PageQuestion {
  readonly project: string;
  /** Sequence of the last one that is known. */
  readonly from: number | undefined;
  readonly limit: number;
}

/** A part of a chain, and of it the batches that were signed in a time. */
export interface BatchQuestion extends PageQuestion {
  /** UTC with milliseconds; the first one that counts. */
  readonly since?: string | undefined;
  /** The first one that no longer counts. */
  readonly until?: string | undefined;
  /** Along the chain, or against it; along by default. */
  readonly order?: Order | undefined;
}

/** After every sequence. */
const last = 10 ** 15 - 1;

/** Times are texts of one form, which sort as they follow each other. */
const [beforeAllTimes, afterAllTimes] = ["", "~"];

const afterRow = ({ project, from = 0, limit }: PageQuestion): Row => ({
  after: auditPlaceKey(project, from),
  before: auditPlaceKey(project, last),
  limit,
});

const beforeRow = ({ project, from = last, limit }: PageQuestion): Row => ({
  after: auditPlaceKey(project, 0),
  before: auditPlaceKey(project, from),
  limit,
});

/** A statement of a transaction that writes only while this writer has the chain, and how many nodes it is to take. */
interface OwnedStatement {
  readonly text: string;
  readonly params: Row;
  readonly takes?: number;
}

/** Runs statements that write only while this writer has the chain. @throws ChainOwnershipLost */
const writeOwned = (database: Database, statements: readonly OwnedStatement[]): Promise<void> =>
  database.write(async (tx) => {
    for (const { text, params, takes } of statements) {
      const rows = await tx.run(text, params);
      if (rows.length === 0 || (takes !== undefined && Number(rows[0]?.["taken"]) !== takes))
        throw new ChainOwnershipLost("another writer has this chain");
    }
  }, options);

/** Removes records that were committed with their change from where they wait. */
const takeOutbox = (keys: readonly string[]): readonly OwnedStatement[] =>
  keys.length === 0 ? [] : [{ text: takenText, params: { keys }, takes: keys.length }];

type Spill = ChainState["spill"];

/** What is spilled when the oldest batch of it is appended. */
const withoutOldest = ({ first, count, records, bytes }: Spill, oldest: SpilledBatch): Spill => ({
  first: first + 1,
  count: count - 1,
  records: records - oldest.records,
  bytes: bytes - oldest.bytes,
});

const withNewest = ({ first, count, records, bytes }: Spill, newest: SpilledBatch): Spill => ({
  first,
  count: count + 1,
  records: records + newest.records,
  bytes: bytes + newest.bytes,
});

/** What the writer of a chain does with it. */
const chainWrites = (database: Database) => ({
  /** Makes this writer the only one of a chain, which begins with it if there is none. */
  take: async (project: string, organization: string): Promise<ChainState> => {
    const now = new Date().toISOString();
    const [row] = await database.write((tx) => tx.run(takeText, { project, organization, now }), options);
    return stateOf(row);
  },
  /** @throws ChainOwnershipLost when the chain has moved or belongs to another writer. */
  append: async (state: ChainState, batch: NewBatch): Promise<ChainState> => {
    const { project, fence } = state;
    const { manifest, position = state.position, spilled, streams } = batch;
    const { sequence, head_hash: head, kid, prev_hash: prev, created_at: batchTime } = manifest;
    const spill = spilled === undefined ? state.spill : withoutOldest(state.spill, spilled);
    const more = { streams, batch_time: batchTime, ...spillRow(spill) };
    const row = await batchRow(project, manifest, batch.data);
    const own = { project, fence, sequence, prev, head, position, kid, batch: row, more };
    await writeOwned(database, [
      { text: appendText, params: { ...own, registered: registration(project, batch.key) } },
      ...takeOutbox(batch.outbox),
      ...(spilled === undefined ? [] : [{ text: unspillText, params: { key: spilled.key }, takes: 1 }]),
    ]);
    const moved = { sequence, headHash: head, position, kid, streams, batchTime, spill };
    return { project, fence, ...moved, failingSince: undefined };
  },
  /** Keeps a sealed batch after those that wait already. @throws ChainOwnershipLost */
  spill: async (state: ChainState, batch: SpilledBatch, taken: ConsumedEntries): Promise<ChainState> => {
    const { project, fence, sequence } = state;
    const { position = state.position, outbox } = taken;
    const spill = withNewest(state.spill, batch);
    const more = { position, ...spillRow(spill) };
    await writeOwned(database, [
      { text: spillText, params: { project, fence, sequence, spill: { ...batch }, more } },
      ...takeOutbox(outbox),
    ]);
    return { ...state, position, spill };
  },
  /** @throws ChainOwnershipLost */
  markFailing: async (state: ChainState, failingSince: Date): Promise<ChainState> => {
    const { project, fence, sequence } = state;
    const since = failingSince.toISOString();
    await writeOwned(database, [{ text: failingText, params: { project, fence, sequence, since } }]);
    return { ...state, failingSince };
  },
  /** @throws ChainOwnershipLost */
  addCheckpoint: async (state: ChainState, checkpoint: Checkpoint, key: RegisteredKey): Promise<void> => {
    const { project, fence } = state;
    const { sequence, created_at: now } = checkpoint;
    const row = { key: auditPlaceKey(project, sequence), checkpoint: JSON.stringify(checkpoint) };
    const own = { project, fence, sequence, now, checkpoint: row };
    await writeOwned(database, [
      { text: checkpointText, params: { ...own, registered: registration(project, key) } },
    ]);
  },
  /** Removes the records, not the manifests, of batches that are older; at most 500. @returns of how many batches */
  forget: async (before: string): Promise<number> => {
    const [row] = await database.write((tx) => tx.run(forgetText, { before }), options);
    return Number(row?.["forgotten"]);
  },
});

/** What is read of chains. */
export const chainReads = (database: Database) => {
  const read = (text: string, params: Row, responseBudget?: ResponseBudget): Promise<Row[]> =>
    database.read(text, params, { ...options, responseBudget });
  /** @param responseBudget bounds the bytes that are read at once */
  const packedBatches = async (
    { since, until, order = "ASC", ...question }: BatchQuestion,
    responseBudget?: ResponseBudget,
  ): Promise<PackedBatch[]> => {
    const row = order === "ASC" ? afterRow(question) : beforeRow(question);
    const isWhole = since === undefined && until === undefined;
    const times = { since: since ?? beforeAllTimes, until: until ?? afterAllTimes };
    const rows = isWhole
      ? read(batchesTexts[order], row, responseBudget)
      : read(batchesBetweenTexts[order], { ...row, ...times }, responseBudget);
    return (await rows).map(packedBatchOf);
  };
  return {
    /** Chains that moved since their last checkpoint, which was made before a time. */
    due: async (before: string): Promise<string[]> =>
      (await read(dueText, { before })).map((row) => String(row["project"])),
    packedBatches,
    batches: async (question: BatchQuestion): Promise<Batch[]> =>
      Promise.all((await packedBatches(question)).map(batchOf)),
    manifests: async (question: PageQuestion): Promise<Manifest[]> =>
      (await read(manifestsText, afterRow(question))).map(manifestOf),
    /** The newest first. */
    checkpoints: async (question: PageQuestion): Promise<Checkpoint[]> =>
      (await read(checkpointsText, beforeRow(question))).map(checkpointOf),
    keys: async (project: string): Promise<RegisteredKey[]> =>
      (await read(keysText, { project })).map(registeredKeyOf),
    key: async (project: string, kid: string): Promise<RegisteredKey | undefined> =>
      (await read(oneKeyText, { key: auditKeyKey(project, kid) })).map(registeredKeyOf)[0],
    /** The organization of a chain; undefined when there is no chain. */
    organization: async (project: string): Promise<string | undefined> => {
      const [row] = await read(organizationText, { project });
      return row === undefined ? undefined : String(row["organization"]);
    },
  };
};

/** The stored chains. */
export const storedChains = (database: Database) => ({
  ...chainReads(database),
  ...waitingReads(database),
  ...chainWrites(database),
});

export type ChainReads = ReturnType<typeof chainReads>;
export type Chains = ReturnType<typeof storedChains>;
