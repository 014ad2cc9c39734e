import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { ReadQuery } from "../draft/use-query-draft.ts";
import { isQueryTab, type QueryTab, querySearch } from "../query-search.ts";

/**
 * The tab that is open. The address has it, with the parameters of the last run; a query that is not saved yet has no address.
 *
 * @param read undefined for a new query.
 */
export const useQueryTab = (read: ReadQuery | undefined) => {
  const navigate = useNavigate();
  const { tab, params } = querySearch({ ...useSearch({ strict: false }) });
  const [newTab, setNewTab] = useState<QueryTab>();
  const openTab = (next: string): void => {
    const chosen = isQueryTab(next) ? next : undefined;
    setNewTab(chosen);
    if (read === undefined) return;
    void navigate({
      to: "/queries/$query",
      params: { query: read.record.name },
      replace: true,
      search: { ...(params !== undefined && { params }), ...(chosen !== undefined && { tab: chosen }) },
    });
  };
  return { tab: (read === undefined ? newTab : tab) ?? "query", openTab, params };
};
