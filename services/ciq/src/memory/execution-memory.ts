import { SingleFlight, type Tenant } from "@ikg/concurrency";
import type { ResponseBudget } from "@ikg/graph";
import type { Reservation, SharedBudget } from "@ikg/service";

/** The database returned more than one execution may hold. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

/** Bytes of a result that need no reservation: most results are smaller. */
export const unreservedBytes = 262_144;

/** The memory of one execution. */
export interface ExecutionMemory {
  /**
   * Meters the result of a statement. Beyond the first bytes it continues only once memory is reserved for the ceiling.
   *
   * @param ceiling bytes; more end the statement with `AnswerTooLarge`.
   */
  responseBudget(ceiling: number): ResponseBudget & { readonly bytes: number };
  /** Former results are no longer held. */
  release(): void;
}

export const openExecutionMemory = (memory: SharedBudget, tenant: Tenant): ExecutionMemory => {
  let reservation: Reservation | undefined;
  const reservations = new SingleFlight<ExecutionMemory, void>();
  /** Grows with each release, so that reservations for former results are returned at once. */
  let generation = 0;

  const reserve = async (ceiling: number): Promise<void> => {
    const reservedIn = generation;
    const reserved = await memory.reserve(tenant, ceiling);
    if (reservedIn === generation) reservation = reserved;
    else reserved.release();
  };

  const executionMemory: ExecutionMemory = {
    responseBudget: (ceiling) => {
      let received = 0;
      return {
        get bytes() {
          return received;
        },
        begin: () => {
          received = 0;
        },
        consume: (bytes) => {
          received += bytes;
          if (received > ceiling) throw new AnswerTooLarge(`more than ${ceiling} bytes`);
          if (received <= unreservedBytes || reservation !== undefined) return undefined;
          return reservations.run(executionMemory, () => reserve(ceiling));
        },
      };
    },
    release: () => {
      generation++;
      reservation?.release();
      reservation = undefined;
    },
  };
  return executionMemory;
};
