import { createResponseBudget } from "@ikg/graph";
import { JsonText, openSharedBudget } from "@ikg/service";
import { batchText, type PackedBatch } from "../store/chain-rows.ts";
import type { BatchQuestion, ChainReads } from "../store/chains.ts";
import { cursorOf } from "./cursor.ts";

/** Bytes of batches, as they are stored and as text, up to which a page is read at once and never waits. */
const smallPackedBytes = 128 * 1024;
const smallTextBytes = 1_000_000;
/** Batches of a large page that are read at once, and what the writer puts into one. */
const sliceRows = 8;
const batchBytes = 1024 * 1024;
const waitMs = 5_000;
const waitingPerOrganization = 50;

class PageTooLarge extends Error {
  override readonly name = "PageTooLarge";
}

/** Batches as text, until there are as many or as much of them as one page has. */
class Page {
  readonly #texts: string[] = [];
  readonly #maxCount: number;
  readonly #maxBytes: number;
  #bytes = 0;
  #last: number | undefined;

  constructor(maxCount: number, maxBytes: number) {
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.#texts.length === this.#maxCount || this.#bytes >= this.#maxBytes;
  }

  /** Sequence of the last batch. */
  get last(): number | undefined {
    return this.#last;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How many batches to read next: the one after a full page says that there are more. */
  rowsWanted(most: number): number {
    return this.isFull ? 1 : Math.min(most, this.#maxCount + 1 - this.#texts.length);
  }

  async add(batch: PackedBatch): Promise<void> {
    const text = await batchText(batch);
    this.#texts.push(this.#texts.length === 0 ? text : `,${text}`);
    this.#bytes += Buffer.byteLength(text);
    this.#last = batch.manifest.sequence;
  }

  end(hasMore: boolean, release?: () => void): JsonText {
    const cursor = hasMore && this.#last !== undefined ? cursorOf(this.#last) : "";
    const tail = JSON.stringify({ has_more: hasMore, next_cursor: cursor }).slice(1);
    return new JsonText([`{"items":[`, ...this.#texts, `],${tail}`], release);
  }
}

const readSmall = async (
  chains: ChainReads,
  question: BatchQuestion,
  maxBytes: number,
): Promise<JsonText> => {
  const page = new Page(question.limit, Infinity);
  const responseBudget = createResponseBudget(smallPackedBytes, () => new PageTooLarge());
  for (const batch of await chains.packedBatches(
    { ...question, limit: question.limit + 1 },
    responseBudget,
  )) {
    if (page.isFull) return page.end(true);
    await page.add(batch);
    if (page.bytes > Math.min(smallTextBytes, maxBytes)) throw new PageTooLarge();
  }
  return page.end(false);
};

const readLarge = async (
  chains: ChainReads,
  question: BatchQuestion,
  maxBytes: number,
  release: () => void,
): Promise<JsonText> => {
  const page = new Page(question.limit, maxBytes);
  for (;;) {
    const limit = page.rowsWanted(sliceRows);
    const batches = await chains.packedBatches({ ...question, from: page.last ?? question.from, limit });
    for (const batch of batches) {
      if (page.isFull) return page.end(true, release);
      await page.add(batch);
    }
    if (batches.length < limit) return page.end(false, release);
  }
};

/** Reads pages of batches. */
export interface LogPages {
  /**
   * A page that ends early where it has as many bytes as one may have; it has a batch at least. A large one waits until there is
   * memory for it.
   *
   * @param limit of the question: batches at most.
   * @throws Problem `too_many_requests` (429) and `unavailable` (503) where other pages leave no memory.
   */
  read(organization: string, chains: ChainReads, question: BatchQuestion): Promise<JsonText>;
}

/**
 * @param wantedBytes of one page; fewer where the memory is small.
 * @param memoryBytes of all large pages that this process holds.
 */
export const openLogPages = (wantedBytes: number, memoryBytes: number): LogPages => {
  // A page takes its bytes twice, and half of all memory at most.
  const pageBytes = Math.min(wantedBytes, Math.max(1, Math.floor(memoryBytes / 4)));
  const budget = openSharedBudget(
    { total: memoryBytes, waitMs, waitingPerProject: waitingPerOrganization },
    `large pages at one time: at most ${memoryBytes} bytes, half of it for one organization (AUDIT_PAGE_MEMORY_BYTES)`,
  );
  return {
    read: async (organization, chains, question) => {
      try {
        return await readSmall(chains, question, pageBytes);
      } catch (error) {
        if (!(error instanceof PageTooLarge)) throw error;
      }
      // A slice as it is stored; the page as text, and once more while it is sent.
      const memory = await budget.reserve(
        { id: organization, organizationId: organization },
        sliceRows * batchBytes + 2 * pageBytes,
      );
      try {
        return await readLarge(chains, question, pageBytes, () => memory.release());
      } catch (error) {
        memory.release();
        throw error;
      }
    },
  };
};
