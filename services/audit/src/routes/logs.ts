import { instant } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import { pageQuery, pageRoute, type Reading } from "./page.ts";

const logsQuery = pageQuery.extend({ since: instant.optional(), until: instant.optional() });

/** GET /audit/v1/logs: batches with their records, in the order of the chain, of a time if one is given. */
export const logs = (reading: Reading): Route =>
  pageRoute(reading, {
    operation: "list_audit_logs",
    path: "/logs",
    queryParameters: logsQuery,
    list: (question, { since, until }) => reading.chains.batches({ ...question, since, until }),
  });
