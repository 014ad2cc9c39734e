import { emptyTally, type Tally } from "./estimate.ts";
import { orderStart } from "./random-order.ts";

const firstPage = 64;

/** What is known of one question, and where it continues. Small enough to be handed to the caller. */
export interface QuestionState {
  /** Subjects up to this place of the random order are examined. */
  position: number;
  /** Subjects of whom nothing is known: the time of a statement was not enough for one of them. */
  skipped: number;
  pageSize: number;
  readonly gained: Tally;
  readonly lost: Tally;
  /** Pairs that are granted, before and after; pages of their own count them, up to `grantedPosition`. */
  readonly granted: { readonly before: Tally; readonly after: Tally };
  grantedPosition: number;
}

export const newState = (): QuestionState => ({
  position: orderStart,
  skipped: 0,
  pageSize: firstPage,
  gained: emptyTally(),
  lost: emptyTally(),
  granted: { before: emptyTally(), after: emptyTally() },
  grantedPosition: orderStart,
});
