import { BaseSettings, EgressSettings, integer } from "@ikg/service";

/** Settings of the access service: those of every service, and its own. */
export const AccessSettings = BaseSettings.extend({
  ...EgressSettings.shape,
  DECISION_TIMEOUT_MS: integer(100, 60_000, 5_000, "Limit of one decision or search, in milliseconds."),
});
