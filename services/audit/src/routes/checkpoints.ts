import type { Route } from "@ikg/service";
import { pageRoute, type Reading } from "./page.ts";

/** GET /audit/v1/checkpoints: how far the chain had come when, the newest first. */
export const checkpoints = (reading: Reading): Route =>
  pageRoute("list_audit_checkpoints", "/checkpoints", reading, reading.chains.checkpoints);
