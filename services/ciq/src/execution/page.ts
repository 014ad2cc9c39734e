/** Rows that a page skips: `page_token` is a row offset, and 1 means the first page (README decision 25). */
export const offsetOf = (pageToken: number, pageSize: number): number =>
  pageToken <= 0 || (pageToken === 1 && pageSize > 1) ? 0 : pageToken;
