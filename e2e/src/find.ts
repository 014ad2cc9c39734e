import type { SearchResults } from "@ikg/contracts";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";

/** The ids of everything that a search finds, page by page, however many pages it takes. */
export const findAll = async (
  what: "resource" | "subject",
  search: Readonly<Record<string, object>>,
  by: Credentials,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (let token: string | undefined; ;) {
    const next = token === undefined ? {} : { page: { ...search["page"], token } };
    const { results, page } = must<SearchResults>(
      await withKey(`/access/v1/search/${what}`, by, { json: { ...search, ...next } }),
      200,
    );
    found.push(...results.map(({ id }) => id));
    token = page?.next_token;
    if (token === undefined || token === "") return found;
  }
};
