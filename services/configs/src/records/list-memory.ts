import { type Gid, Problem } from "@ikg/contracts";
import { createResponseBudget, type ResponseBudget } from "@ikg/graph";
import { openSharedBudget, type Reservation } from "@ikg/service";

/** Lists up to this many bytes never wait. */
const smallBytes = 1_000_000;
const waitMs = 5_000;
const waitingPerOrganization = 50;

export interface ListMemory {
  /**
   * Reads a list within the bytes that one may have. A large one waits until there is memory for it, and holds that until released.
   *
   * @throws Problem `unprocessable` (422) for a list that is too large; `too_many_requests` (429) and `unavailable` (503) where other lists
   *   leave no memory.
   */
  read<T>(
    organizationId: Gid,
    work: (responseBudget: ResponseBudget) => Promise<T>,
  ): Promise<{ readonly result: T; readonly memory: Reservation | undefined }>;
}

class ListTooLarge extends Error {
  override readonly name = "ListTooLarge";
}

const budgetUpTo = (maxBytes: number): ResponseBudget =>
  createResponseBudget(maxBytes, () => new ListTooLarge());

/**
 * Bounds the lists that a process holds.
 *
 * @param listBytes of one list, as the database answers it.
 * @param memoryBytes of all large ones.
 */
export const openListMemory = (listBytes: number, memoryBytes: number): ListMemory => {
  const budget = openSharedBudget(
    { total: memoryBytes, waitMs, waitingPerProject: waitingPerOrganization },
    `large lists at one time: at most ${memoryBytes} bytes, half of it for one organization (LIST_MEMORY_BYTES)`,
  );
  return {
    read: async (organizationId, work) => {
      try {
        return { result: await work(budgetUpTo(Math.min(smallBytes, listBytes))), memory: undefined };
      } catch (error) {
        if (!(error instanceof ListTooLarge)) throw error;
      }
      const memory = await budget.reserve({ id: organizationId, organizationId }, listBytes);
      try {
        return { result: await work(budgetUpTo(listBytes)), memory };
      } catch (error) {
        memory.release();
        if (!(error instanceof ListTooLarge)) throw error;
        throw new Problem("unprocessable", {
          errors: [
            `list: more than ${listBytes} bytes (limit LIST_BYTES); name one project_id, narrow it by search, or leave full_fetch out and read single records`,
          ],
        });
      }
    },
  };
};
