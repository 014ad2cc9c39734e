import type { Batch, Checkpoint, Manifest } from "@ikg/audit";
import type { Database, Row } from "@ikg/graph";
import { auditKeyKey } from "@ikg/physical";
import {
  batchOf,
  batchRow,
  checkpointOf,
  manifestOf,
  registered,
  registration,
  stateOf,
} from "./chain-rows.ts";
import { type ChainState, ChainTaken, type NewBatch, type RegisteredKey } from "./chain-state.ts";
import {
  appendText,
  batchesBetweenText,
  batchesText,
  checkpointsText,
  checkpointText,
  dueText,
  failingText,
  forgetText,
  keysText,
  manifestsText,
  oneKeyText,
  organizationText,
  takeText,
} from "./chain-statements.ts";
import { placeKey } from "./labels.ts";

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
  /** The first one that does not count any more. */
  readonly until?: string | undefined;
}

/** After every sequence. */
const last = 10 ** 15 - 1;

/** Times are texts of one form, which sort as they follow each other. */
const [beforeAllTimes, afterAllTimes] = ["", "~"];

const afterRow = ({ project, from = 0, limit }: PageQuestion): Row => ({
  after: placeKey(project, from),
  before: placeKey(project, last),
  limit,
});

const beforeRow = ({ project, from = last, limit }: PageQuestion): Row => ({
  after: placeKey(project, 0),
  before: placeKey(project, from),
  limit,
});

/** Runs a statement that writes only while this writer has the chain. @throws ChainTaken */
const writeOwned = async (database: Database, text: string, params: Row): Promise<void> => {
  const rows = await database.write((tx) => tx.run(text, params), options);
  if (rows.length === 0) throw new ChainTaken("another writer has this chain");
};

/** What the writer of a chain does with it. */
const chainWrites = (database: Database) => ({
  /** Makes this writer the only one of a chain, which begins with it if there is none. */
  take: async (project: string, organization: string): Promise<ChainState> => {
    const now = new Date().toISOString();
    const [row] = await database.write((tx) => tx.run(takeText, { project, organization, now }), options);
    return stateOf(row);
  },
  /** @throws ChainTaken when the chain has moved or belongs to another writer. */
  append: async (state: ChainState, { manifest, data, position, key }: NewBatch): Promise<ChainState> => {
    const { project, fence } = state;
    const { sequence, head_hash: head, kid, prev_hash: prev } = manifest;
    const batch = await batchRow(project, manifest, data);
    const own = { project, fence, sequence, prev, head, position, kid, batch };
    await writeOwned(database, appendText, { ...own, registered: registration(project, key) });
    return { project, fence, sequence, headHash: head, position, kid, failingSince: undefined };
  },
  /** @throws ChainTaken */
  markFailing: async (state: ChainState, failingSince: Date): Promise<ChainState> => {
    const { project, fence, sequence } = state;
    const since = failingSince.toISOString();
    await writeOwned(database, failingText, { project, fence, sequence, since });
    return { ...state, failingSince };
  },
  /** @throws ChainTaken */
  addCheckpoint: async (state: ChainState, checkpoint: Checkpoint, key: RegisteredKey): Promise<void> => {
    const { project, fence } = state;
    const { sequence, created_at: now } = checkpoint;
    await writeOwned(database, checkpointText, {
      project,
      fence,
      sequence,
      now,
      checkpoint: { key: placeKey(project, sequence), checkpoint: JSON.stringify(checkpoint) },
      registered: registration(project, key),
    });
  },
  /** Removes the records, not the manifests, of batches that are older; at most 500. @returns of how many batches */
  forget: async (before: string): Promise<number> => {
    const [row] = await database.write((tx) => tx.run(forgetText, { before }), options);
    return Number(row?.["forgotten"]);
  },
});

const chainReads = (database: Database) => {
  const read = (text: string, params: Row): Promise<Row[]> => database.read(text, params, options);
  return {
    /** Chains that moved since their last checkpoint, which was made before a time. */
    due: async (before: string): Promise<string[]> =>
      (await read(dueText, { before })).map((row) => String(row["project"])),
    batches: async ({ since, until, ...question }: BatchQuestion): Promise<Batch[]> => {
      const row = afterRow(question);
      const isWhole = since === undefined && until === undefined;
      const rows = isWhole
        ? read(batchesText, row)
        : read(batchesBetweenText, { ...row, since: since ?? beforeAllTimes, until: until ?? afterAllTimes });
      return Promise.all((await rows).map(batchOf));
    },
    manifests: async (question: PageQuestion): Promise<Manifest[]> =>
      (await read(manifestsText, afterRow(question))).map(manifestOf),
    /** The newest first. */
    checkpoints: async (question: PageQuestion): Promise<Checkpoint[]> =>
      (await read(checkpointsText, beforeRow(question))).map(checkpointOf),
    keys: async (project: string): Promise<RegisteredKey[]> =>
      (await read(keysText, { project })).map(registered),
    key: async (project: string, kid: string): Promise<RegisteredKey | undefined> =>
      (await read(oneKeyText, { key: auditKeyKey(project, kid) })).map(registered)[0],
    /** The organization of a chain; undefined when there is no chain. */
    organization: async (project: string): Promise<string | undefined> => {
      const [row] = await read(organizationText, { project });
      return row === undefined ? undefined : String(row["organization"]);
    },
  };
};

/** The stored chains. */
export const storedChains = (database: Database) => ({ ...chainReads(database), ...chainWrites(database) });

export type Chains = ReturnType<typeof storedChains>;
