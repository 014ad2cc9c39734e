import { SigningFault } from "../signing/signer.ts";
import type { ChainState } from "../store/chain-state.ts";
import { maxBatchBytes, maxBatchEvents } from "./cut.ts";
import { type OpenChain, readOrganization, takeChain } from "./open-chain.ts";
import { isPaused, noteFailure } from "./outage.ts";
import { emptyTurn, spill, storeSpilled, storeWaiting } from "./store-batch.ts";
import type { ChainTurn, PendingRecords, WaitingChain } from "./waiting-records.ts";
import type { WriterParts } from "./writer-parts.ts";

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

/** Records that cannot be signed are sealed in whole batches; fewer of them when they have waited for so long. */
const spillMs = 60_000;

const isFull = ({ records, bytes }: PendingRecords): boolean =>
  records >= maxBatchEvents || bytes >= maxBatchBytes;

/** True when the records of a chain are due. Each entry is read once, so what is not due is not read. */
const isDue = (chain: OpenChain, waiting: WaitingChain): boolean => {
  const age = chain.parts.now().getTime() - waiting.since;
  if (isPaused(chain))
    return isFull(waiting) || (waiting.records > 0 && (waiting.isRedisFilling || age >= spillMs));
  if (waiting.isSpilled || waiting.hasReplacedStreams) return true;
  return isFull(waiting) || (waiting.records > 0 && age >= chain.parts.settings.batchMs);
};

const takeTurn = async (chain: OpenChain, waiting: WaitingChain): Promise<ChainTurn> => {
  if (!isDue(chain, waiting) || !(await readOrganization(chain))) return emptyTurn;
  const { spill: spilled } = await takeChain(chain);
  if (isPaused(chain)) return spill(chain);
  if (spilled.count > 0) {
    // New records go behind the sealed ones, and must not fill Redis until these are signed.
    const { consumed } = isFull(waiting) ? await spill(chain) : emptyTurn;
    return { ...(await storeSpilled(chain)), consumed };
  }
  return storeWaiting(chain, waiting.hasReplacedStreams);
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
          return emptyTurn;
        }
        // Whether it was stored or not is read again from the database.
        chain.state = undefined;
        throw error;
      }
    },
  };
};
