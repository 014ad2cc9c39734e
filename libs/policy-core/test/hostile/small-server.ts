import { connectGraph, type Graph } from "@ikg/graph";
import { second } from "../../../../stack/src/stores/neo4j.ts";
import { type Killable, openKillable } from "../../../../stack/src/testing/servers/killable.ts";

/**
 * Heap of the server, in MB: what it needs itself, the budgets of one expression
 * (`EXPRESSION_MEMORY_BYTES`, 64 MiB) and of one transaction (`db.memory.transaction.max`, an eighth of
 * the heap), and little more. Neo4j does not count the values of an expression: that a statement went
 * beyond its budget is seen by the end of the server.
 */
const heapMb = 320;

/** Plans that are kept: those of many statements would take the heap that is for their values. */
const plans = 100;

/**
 * Starts a server of a test's own that ends at the first allocation beyond its heap.
 *
 * @throws Error as `openKillable`
 */
export const openSmallServer = (): Promise<Killable> =>
  openKillable({
    ...second,
    heap: [heapMb, heapMb],
    settings: { "server.memory.query_cache.per_db_cache_num_entries": String(plans) },
  });

export const connectTo = ({ url, username, password }: Killable): Graph =>
  connectGraph({ uri: url, username, password });
