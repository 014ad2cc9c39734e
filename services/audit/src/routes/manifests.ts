import type { Route } from "@ikg/service";
import { pageOf, pageQuery, pageRoute, type ListSources } from "./page.ts";

/** GET /audit/v1/manifests: what was signed of each batch, in the order of the chain. */
export const manifests = (sources: ListSources): Route =>
  pageRoute(sources, {
    operation: "list_audit_manifests",
    path: "/manifests",
    queryParameters: pageQuery,
    page: async ({ project, chains, query: { cursor: from, pagesize } }) =>
      pageOf(await chains.manifests({ project, from, limit: pagesize + 1 }), pagesize),
  });
