/** Rows that a page skips: `page_token` is a row offset, and 1 means the first page. */
export const offsetOf = (pageToken: number, pageSize: number): number =>
  pageToken <= 0 || (pageToken === 1 && pageSize > 1) ? 0 : pageToken;

/** The same of clients that count pages: 1 is the first one, and so is everything below. */
export const offsetOfPage = (page: number, pageSize: number): number =>
  Math.min(Math.max(page - 1, 0) * pageSize, Number.MAX_SAFE_INTEGER);
