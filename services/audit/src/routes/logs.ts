import type { Route } from "@ikg/service";
import { pageRoute, type Reading } from "./page.ts";

/** GET /audit/v1/logs: batches with their records, in the order of the chain. */
export const logs = (reading: Reading): Route =>
  pageRoute("list_audit_logs", "/logs", reading, reading.chains.batches);
