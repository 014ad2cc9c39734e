import type { Route } from "@ikg/service";
import { pageOf, pageQuery, pageRoute, type ListSources } from "./page.ts";

/** GET /audit/v1/checkpoints: how far the chain had come when, the newest first. */
export const checkpoints = (sources: ListSources): Route =>
  pageRoute(sources, {
    operation: "list_audit_checkpoints",
    path: "/checkpoints",
    queryParameters: pageQuery,
    page: async ({ project, chains, query: { cursor: from, pagesize } }) =>
      pageOf(await chains.checkpoints({ project, from, limit: pagesize + 1 }), pagesize),
  });
