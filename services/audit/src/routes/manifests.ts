import type { Route } from "@ikg/service";
import { pageRoute, type Reading } from "./page.ts";

/** GET /audit/v1/manifests: what was signed of each batch, in the order of the chain. */
export const manifests = (reading: Reading): Route =>
  pageRoute("list_audit_manifests", "/manifests", reading, reading.chains.manifests);
