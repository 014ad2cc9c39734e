import { Problem } from "@ikg/contracts";
import type { Graph, Transaction } from "@ikg/graph";
import type { Project } from "../projects/projects.ts";
import { refuse } from "./refusals.ts";
import { partOf } from "../projects/constituent.ts";
import { inOneTransaction, type Request } from "./transaction.ts";

/** An item with its index in the request. */
export interface IndexedItem<Item> {
  readonly item: Item;
  readonly at: number;
}

/** A batch whose items may belong to several databases. */
export interface DistributedBatch<Item, Result> {
  readonly items: readonly Item[];
  /** The constituent of an item; undefined for the default database. */
  readonly constituentOf: (item: Item) => string | undefined;
  /** Reasons why items of one database cannot be written; of several databases all are checked before the first write. */
  readonly refusals?:
    | ((tx: Transaction, items: readonly IndexedItem<Item>[]) => Promise<readonly string[]>)
    | undefined;
  /** Appended to such refusals. */
  readonly hint?: string;
  /** Writes the items of one database, with one result for each. May run several times. */
  readonly work: (tx: Transaction, items: readonly IndexedItem<Item>[]) => Promise<readonly Result[]>;
  /** Writes proxies of the items of other databases to the default database. */
  readonly mirror?: (tx: Transaction, items: readonly WrittenItem<Item, Result>[]) => Promise<unknown>;
}

type WrittenItem<Item, Result> = IndexedItem<Item> & { readonly result: Result };

/** Pairs items with their results, which have the same order. */
const withResults = <Item, Result>(
  indexed: readonly IndexedItem<Item>[],
  results: readonly Result[],
): readonly WrittenItem<Item, Result>[] =>
  // One result for each item.
  indexed.map((each, index) => ({ ...each, result: results[index] as Result }));

/**
 * Writes a batch, in one transaction for each database that it concerns: constituents first, the default database with its
 * proxies last, so that every proxy has its node.
 *
 * @returns the results in the order of the items.
 * @throws Problem `partly_written` (500) when a database failed after another one was written; repeating the batch
 *   completes it. As `inOneTransaction` while nothing is written.
 */
export const writeByDatabase = async <Item, Result>(
  graph: Graph,
  project: Project,
  request: Request,
  { items, constituentOf, refusals, hint, work, mirror }: DistributedBatch<Item, Result>,
): Promise<readonly Result[]> => {
  const transact = <T>(
    constituent: string | undefined,
    rows: number,
    run: (tx: Transaction) => Promise<T>,
  ): Promise<T> => inOneTransaction(graph, project, request, { work: run, rows, part: partOf(constituent) });
  const batches = Map.groupBy(
    items.map((item, at): IndexedItem<Item> => ({ item, at })),
    ({ item }) => constituentOf(item),
  );
  if (refusals !== undefined && batches.size > 1) {
    const found = [...batches].map(([constituent, batch]) =>
      transact(constituent, batch.length, (tx) => refusals(tx, batch)),
    );
    refuse((await Promise.all(found)).flat(), hint);
  }
  const ofDefault = batches.get(undefined) ?? [];
  batches.delete(undefined);
  const ofConstituents: WrittenItem<Item, Result>[] = [];
  try {
    for (const [constituent, batch] of batches)
      ofConstituents.push(
        ...withResults(batch, await transact(constituent, batch.length, (tx) => work(tx, batch))),
      );
    if (ofDefault.length === 0 && (mirror === undefined || ofConstituents.length === 0))
      return inOrder(ofConstituents);
    const results = await transact(undefined, items.length, async (tx) => {
      const found = ofDefault.length === 0 ? [] : await work(tx, ofDefault);
      if (ofConstituents.length > 0) await mirror?.(tx, ofConstituents);
      return found;
    });
    return ofConstituents.length === 0
      ? results
      : inOrder([...ofConstituents, ...withResults(ofDefault, results)]);
  } catch (cause) {
    throw ofConstituents.length > 0 ? new Problem("partly_written", { cause }) : cause;
  }
};

const inOrder = <Item, Result>(items: readonly WrittenItem<Item, Result>[]): readonly Result[] =>
  items.toSorted((a, b) => a.at - b.at).map(({ result }) => result);
