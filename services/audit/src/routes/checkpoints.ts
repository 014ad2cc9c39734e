import type { Route } from "@ikg/service";
import { pageQuery, pageRoute, type Reading } from "./page.ts";

/** GET /audit/v1/checkpoints: how far the chain had come when, the newest first. */
export const checkpoints = (reading: Reading): Route =>
  pageRoute(reading, {
    operation: "list_audit_checkpoints",
    path: "/checkpoints",
    queryParameters: pageQuery,
    list: reading.chains.checkpoints,
  });
