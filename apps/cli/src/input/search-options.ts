import type { Command } from "commander";
import { wholeNumber } from "./whole-number.ts";

export interface SearchLimit {
  readonly limit?: number;
}

export const addLimit = (command: Command): Command =>
  command.option(
    "--limit <number>",
    "maximum number of results; default: all",
    wholeNumber(1, 1_000_000_000),
  );

/** Yields at most `limit` items, and requests no further pages. */
export const limitItems = async function* <Item>(
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

/** The page size, if the limit is smaller than a page. */
export const pageSizeOf = ({ limit }: SearchLimit, maxSize: number): number | undefined =>
  limit === undefined || limit >= maxSize ? undefined : limit;
