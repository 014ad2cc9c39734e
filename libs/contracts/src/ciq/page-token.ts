/**
 * Stands for row 1 on pages of several rows: a page that ends early after its first row has to name the second one, and 1 itself
 * is the first page. No answer has as many rows, and it fits into 32 bits.
 */
const secondRow = 2_000_000_001;

/** Rows that a page of `POST /ciq/v1/execute` leaves out: `page_token` counts rows, and 1 means the first page. */
export const offsetOfPageToken = (pageToken: number, pageSize: number): number => {
  if (pageToken === secondRow) return 1;
  return pageToken <= 0 || (pageToken === 1 && pageSize > 1) ? 0 : pageToken;
};

/** The `page_token` of the page that begins at this row; the first row of all is 0. */
export const pageTokenOfOffset = (offset: number, pageSize: number): number =>
  offset === 1 && pageSize > 1 ? secondRow : offset;
