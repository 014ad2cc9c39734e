import {
  BaseSettings,
  CalledByMcpSettings,
  EgressSettings,
  ExpressionSettings,
  flag,
  integer,
  ProjectLimitSettings,
  ProjectSettings,
  SealingSettings,
} from "@ikg/service";

/** Settings of the access service: those of every service, and its own. */
export const AccessSettings = BaseSettings.extend({
  ...CalledByMcpSettings.shape,
  ...SealingSettings.shape,
  ...EgressSettings.shape,
  ...ProjectSettings.shape,
  ...ProjectLimitSettings.shape,
  ...ExpressionSettings.shape,
  KBAC2_REQUIRE_IDENTITY: flag(
    false,
    "Subjects of `2.0-kbac` policies must be identity nodes (`is_identity`).",
  ),
  DECISION_TIMEOUT_MS: integer(100, 60_000, 5_000, "Limit of one decision or search, in milliseconds."),
});
