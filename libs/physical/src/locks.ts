import { nodeLabel } from "./labels.ts";
import { keyField } from "./properties.ts";

/**
 * Locks what `name` is bound to until the transaction ends: a property that is not there and is set to null changes
 * nothing and takes the lock all the same. REMOVE takes none as long as no node ever had such a property (seen on 5.26.31).
 */
export const takeLock = (name: string): string => `SET ${name} += {_lock: null}`;

/** Locks nodes in the order of their keys. Parameter: `keys`, sorted. */
export const lockNodesText = [
  "UNWIND $keys AS k",
  `MATCH (n:${nodeLabel} {${keyField}: k})`,
  takeLock("n"),
].join("\n");
