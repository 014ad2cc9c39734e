import { maxSearchPage, type PageRequest, Problem } from "@ikg/contracts";
import type { PageTokens } from "./page-token.ts";
import type { Find } from "./seek.ts";

/** What a search answers: the ids or names of one page, and where it goes on. */
export interface Page {
  readonly page?: { readonly next_token: string; readonly count: number; readonly total?: number };
  readonly found: readonly string[];
}

const countAll = async (find: Find): Promise<number> => {
  let total = 0;
  for (let after = ""; ;) {
    const ids = await find(after, maxSearchPage);
    total += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < maxSearchPage) return total;
    after = last;
  }
};

export interface Paging {
  readonly find: Find;
  readonly tokens: PageTokens;
  /** What a page token is bound to: a token of another search, project or person is refused. */
  readonly scope: unknown;
  /** Called when nothing is found: it may be that nothing could be asked. */
  readonly explainNothing: () => void;
}

/**
 * One page of a search (authzen specification 5.1).
 *
 * @throws Problem "invalid_request" (400) for a page token that is not of this search, and what `find` throws.
 */
export const pageOf = async (
  page: PageRequest | null | undefined,
  { find, tokens, scope, explainNothing }: Paging,
): Promise<Page> => {
  const from = page?.token ? tokens.read(page.token, scope) : undefined;
  const limit = Math.min(page?.limit ?? from?.limit ?? maxSearchPage, maxSearchPage);
  if (limit === 0) {
    const total = await countAll(find);
    if (total === 0) explainNothing();
    const next = total === 0 ? "" : tokens.issue({ after: "", limit: maxSearchPage }, scope);
    return { page: { next_token: next, count: 0, total }, found: [] };
  }
  if (from !== undefined && from.limit !== limit)
    throw new Problem("invalid_request", { errors: ["page.limit: differs from the limit of the token"] });
  const more = await find(from?.after ?? "", limit + 1);
  if (more.length === 0) explainNothing();
  const found = more.slice(0, limit);
  const last = more.length > limit ? found.at(-1) : undefined;
  if (last === undefined && !page) return { found };
  const next = last === undefined ? "" : tokens.issue({ after: last, limit }, scope);
  return { page: { next_token: next, count: found.length }, found };
};
