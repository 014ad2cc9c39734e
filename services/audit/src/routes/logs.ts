import { instant } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import { z } from "zod";
import type { LogPages } from "./log-pages.ts";
import { pageQuery, pageRoute, type ListSources } from "./page.ts";

const orders = { asc: "ASC", desc: "DESC" } as const;

const logsQuery = pageQuery.extend({
  since: instant.optional(),
  until: instant.optional(),
  order: z.enum(["asc", "desc"], { error: "asc or desc expected" }).default("asc"),
});

/** GET /audit/v1/logs: batches with their records, in the order of the chain or the newest first, of a time if one is given. */
export const logs = (sources: ListSources, pages: LogPages): Route =>
  pageRoute(sources, {
    operation: "list_audit_logs",
    path: "/logs",
    queryParameters: logsQuery,
    page: ({
      project,
      organization,
      chains,
      query: { cursor: from, pagesize: limit, since, until, order },
    }) => pages.read(organization, chains, { project, from, limit, since, until, order: orders[order] }),
  });
