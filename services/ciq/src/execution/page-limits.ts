import type { CatalogProject } from "@ikg/catalog";
import { type ExecuteRequest, offsetOfPageToken } from "@ikg/contracts";
import type { PageLimits } from "../results/page.ts";

/** Rows that a page skips for clients that count pages: 1 is the first one, and so is everything below. */
export const offsetOfPage = (page: number, pageSize: number): number =>
  Math.min(Math.max(page - 1, 0) * pageSize, Number.MAX_SAFE_INTEGER);

/** @param countsPages `page_token` is the number of a page, and not the number of rows to skip. */
export const pageLimitsOf = (
  { page_bytes, page_size, page_token }: ExecuteRequest,
  { limits }: CatalogProject,
  countsPages: boolean,
): PageLimits => ({
  bytes: Math.min(page_bytes ?? Infinity, limits.page_bytes),
  skip: (countsPages ? offsetOfPage : offsetOfPageToken)(page_token, page_size),
  wholeOf: countsPages ? page_size : undefined,
});
