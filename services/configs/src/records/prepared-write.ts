import type { Transaction } from "@ikg/graph";
import type { UsageChange } from "./usage.ts";

/** A validated change that is not written yet. */
export interface PreparedWrite<T> {
  readonly result: T;
  /** What it adds to the counts of its project or organization; they are locked after the records. */
  readonly usage: UsageChange;
  readonly write: (tx: Transaction) => Promise<void>;
}
