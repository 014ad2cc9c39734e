import { maxSearchPage, type PageRequest, Problem } from "@ikg/contracts";
import type { PageTokens } from "./page-token.ts";
import type { IdRange } from "./seek.ts";

/** The result of a search: the ids or names of one page, and where the next one begins. */
export interface Page {
  readonly page?: { readonly next_token: string; readonly count: number; readonly total?: number };
  readonly found: readonly string[];
  /** False when the time ended before the page was full. */
  readonly complete: boolean;
}

/** Ids after an id; `sliced` if on a former page one statement took too long. */
type Find = (after: string, limit: number, sliced: boolean) => Promise<IdRange>;

/** The number of all ids, absent when the time does not suffice to count them; `sliced` if one statement took too long. */
interface Count {
  readonly total?: number;
  readonly sliced: boolean;
}

const countAll = async ({ find, deadline }: Pick<PagedSearch, "find" | "deadline">): Promise<Count> => {
  let total = 0;
  for (let after = ""; ;) {
    const { ids, until } = await find(after, maxSearchPage, false);
    if (until !== undefined) return { sliced: true };
    total += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < maxSearchPage) return { total, sliced: false };
    if (performance.now() >= deadline) return { sliced: false };
    after = last;
  }
};

export interface PagedSearch {
  readonly find: Find;
  readonly tokens: PageTokens;
  /** What a page token is bound to: a token of another search, project or person is refused. */
  readonly scope: unknown;
  /** Called when the whole search finds nothing, and throws when that is because nothing could be evaluated. */
  readonly explainNothing: () => void;
  /** When to stop counting, in the time base of `performance.now()`. */
  readonly deadline: number;
}

const countPage = async (paging: PagedSearch): Promise<Page> => {
  const { total, sliced } = await countAll(paging);
  if (total === 0) paging.explainNothing();
  const start = { after: "", limit: maxSearchPage, sliced, empty: true };
  const next = total === 0 ? "" : paging.tokens.issue(start, paging.scope);
  return {
    page: { next_token: next, count: 0, ...(total === undefined ? {} : { total }) },
    found: [],
    complete: total !== undefined,
  };
};

/**
 * One page of a search. A search that runs out of time reports that and where the next page begins; every page makes
 * progress, even one that finds nothing.
 *
 * @throws Problem "invalid_request" (400) for a page token that is not of this search, and what `find` throws.
 */
export const pageOf = async (page: PageRequest | null | undefined, paging: PagedSearch): Promise<Page> => {
  const { find, tokens, scope, explainNothing } = paging;
  const from = page?.token ? tokens.read(page.token, scope) : undefined;
  const limit = Math.min(page?.limit ?? from?.limit ?? maxSearchPage, maxSearchPage);
  if (limit === 0) return countPage(paging);
  if (from !== undefined && from.limit !== limit)
    throw new Problem("invalid_request", {
      errors: [
        `page.limit: must be ${from.limit}, the limit of the search that returned page.token; omit it or begin a new search`,
      ],
    });
  const { ids, until } = await find(from?.after ?? "", limit + 1, from?.sliced ?? false);
  const found = ids.slice(0, limit);
  const full = ids.length > limit ? found.at(-1) : undefined;
  const after = full ?? until;
  const complete = full !== undefined || until === undefined;
  const empty = found.length === 0 && (from?.empty ?? true);
  if (empty && complete) explainNothing();
  if (after === undefined && !page) return { found, complete };
  const sliced = until !== undefined || (from?.sliced ?? false);
  const next = after === undefined ? "" : tokens.issue({ after, limit, sliced, empty }, scope);
  return { page: { next_token: next, count: found.length }, found, complete };
};
