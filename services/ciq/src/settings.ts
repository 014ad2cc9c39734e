import { BaseSettings, EgressSettings, integer, ProjectSettings } from "@ikg/service";

/** Settings of the ciq service: those of every service, and its own. */
export const CiqSettings = BaseSettings.extend({
  ...EgressSettings.shape,
  ...ProjectSettings.shape,
  QUERY_TIMEOUT_MS: integer(100, 600_000, 30_000, "Limit of one query, in milliseconds."),
  BATCH_READ_TIMEOUT_MS: integer(
    100,
    3_600_000,
    300_000,
    "Limit of a query with `batch_read`, in milliseconds.",
  ),
});
