import {
  BaseSettings,
  CalledByMcpSettings,
  EgressSettings,
  ExpressionSettings,
  integer,
  optionalFlag,
  ProjectLimitSettings,
  ProjectSettings,
  SealingSettings,
} from "@ikg/service";
import type { z } from "zod";

/** Settings of the ciq service: those of every service, and its own. */
export const CiqSettings = BaseSettings.extend({
  ...CalledByMcpSettings.shape,
  ...SealingSettings.shape,
  ...EgressSettings.shape,
  ...ProjectSettings.shape,
  ...ProjectLimitSettings.shape,
  ...ExpressionSettings.shape,
  EGRESS_ALLOW_HTTP: optionalFlag(
    "Lets calls to addresses from records use http besides https; unset, calls of resolvers may and calls to issuers may not.",
  ),
  QUERY_TIMEOUT_MS: integer(100, 600_000, 30_000, "Limit of one query, in milliseconds."),
  BATCH_READ_TIMEOUT_MS: integer(
    100,
    3_600_000,
    300_000,
    "Limit of a query with `batch_read`, in milliseconds.",
  ),
  ANSWER_MEMORY_BYTES: integer(
    1_000_000,
    10_000_000_000,
    32_000_000,
    "Bytes of large answers that are held at one time; one counts twice its page's limit. Further ones wait, then 429 or 503.",
  ),
  EDR_TIMEOUT_MS: integer(
    100,
    15_000,
    5_000,
    "Limit of one call to an external data resolver, in milliseconds.",
  ),
});
export type CiqSettings = z.output<typeof CiqSettings>;
