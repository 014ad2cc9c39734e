/** Rows that a page skips for clients that count pages: 1 is the first one, and so is everything below. */
export const offsetOfPage = (page: number, pageSize: number): number =>
  Math.min(Math.max(page - 1, 0) * pageSize, Number.MAX_SAFE_INTEGER);
