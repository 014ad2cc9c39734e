/** How the memory of a Neo4j is divided, in MB. Every deployment of the repository is held to it by a test. */

import { inRepository } from "../repository.ts";

/** What a server is given. */
export interface Memory {
  /** What the heap starts with and what it may take. */
  readonly heap: readonly [least: number, most: number];
  readonly pageCache: number;
}

/**
 * Options of the Java that a server runs on, one a line; containers get the same file (docs/operations.md, "Memory of Neo4j").
 *
 * A server that has run out of memory answers some requests and loses others for as long as it lives, so it ends when the first
 * allocation fails. What it acknowledged is in its transaction log; its supervisor starts it again.
 *
 * Every statement of every project stands still while the garbage collector copies what one large statement keeps, all of the
 * young generation at worst. So that generation is small. Marking begins when more of the heap is in use than transactions may hold,
 * or it would never end beside large statements.
 */
export const javaOptionsFile = inRepository("stack/src/stores/neo4j.vmoptions");

/** The option by which Java reads such a file. */
export const readJavaOptions = (file: string): string => `-XX:VMOptionsFile=${file}`;

/** Where it is in containers. */
export const javaOptionsInContainer = "/var/lib/neo4j/neo4j.vmoptions";

/**
 * What transactions may hold: all together half of the heap, one of them an eighth. The server counts rows, lists and changes of a
 * transaction; the other half is for what it does not count: plans of statements, buffers of connections, and the values of
 * single expressions, whose size the policy language bounds. Beyond its share one statement fails (422), and beyond the half
 * those that ask for more at that moment (tried again, then 503).
 */
export const transactionMemory = (heapMb: number): { readonly all: number; readonly each: number } => ({
  all: Math.floor(heapMb / 2),
  each: Math.floor(heapMb / 8),
});

/**
 * Statements of all projects that are known to be heavy and run at once at most, for each that `NEO4J_HEAVY_STATEMENTS` allows. One that
 * turns out to be heavy while it runs is counted from then on.
 */
export const heavyAtOnce = 8;

/** What one expression of a statement may hold, `EXPRESSION_MEMORY_BYTES` at its default, in MB. */
export const expressionMb = 64;

/**
 * `NEO4J_HEAVY_STATEMENTS` at most: with the largest expression in each heavy statement that may run at once, they hold the half of
 * the heap that is for what the server does not count.
 */
export const heavyStatementsIn = (heapMb: number): number =>
  Math.max(1, Math.floor(heapMb / 2 / (heavyAtOnce * expressionMb)));

/** Memory that the process takes besides heap and page cache: network buffers up to the size of the heap, code, threads. */
export const otherMemory = (heapMb: number): number => heapMb + 512;

/** Settings of a server with so much memory. */
export const memorySettings = ({
  heap: [least, most],
  pageCache,
}: Memory): Readonly<Record<string, string>> => {
  const { all, each } = transactionMemory(most);
  return {
    "server.memory.heap.initial_size": `${least}m`,
    "server.memory.heap.max_size": `${most}m`,
    "server.memory.pagecache.size": `${pageCache}m`,
    "dbms.memory.transaction.total.max": `${all}m`,
    "db.memory.transaction.max": `${each}m`,
  };
};

/** The variable by which the official image takes a setting. */
export const imageVariable = (setting: string): string =>
  `NEO4J_${setting.replaceAll("_", "__").replaceAll(".", "_")}`;
