import type { ResponseBudget } from "../types.ts";

/**
 * A budget that ends a statement when its response exceeds a number of bytes.
 *
 * @param createError makes the error that ends the statement
 */
export const createResponseBudget = (maxBytes: number, createError: () => Error): ResponseBudget => {
  let bytes = 0;
  return {
    begin: () => void (bytes = 0),
    consume: (count) => {
      bytes += count;
      if (bytes > maxBytes) throw createError();
      return undefined;
    },
  };
};
