import type { Command } from "commander";
import { wholeNumber } from "./whole-number.ts";

export interface SearchLimit {
  readonly limit?: number;
}

export const addLimit = (command: Command): Command =>
  command.option("--limit <number>", "results at most; default: all", wholeNumber(1, 1_000_000_000));

/** At most so many of the items; no further page is requested. */
export const limited = async function* <Item>(
  items: AsyncIterable<Item>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item, void, undefined> {
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count >= limit) return;
  }
};

/** Results of one request, where fewer are wanted than a page has. */
export const pageSizeOf = ({ limit }: SearchLimit, most: number): number | undefined =>
  limit === undefined || limit >= most ? undefined : limit;
