export { auditedRequest } from "./audit/audited-request.ts";
export { callerRefusal } from "./audit/caller-refusal.ts";
export { introspectionNote } from "./audit/introspection-note.ts";
export type { AuditNote, Note } from "./audit/note.ts";
export { onBehalfOf } from "./audit/on-behalf-of.ts";
export { type RepeatedRefusals, openRepeatedRefusals } from "./audit/repeated-refusals.ts";
export type { AuditTrail } from "./audit/trail.ts";
export { defaultBodyLimit, maxDepth, nestsWithin, type ReadBody } from "./http/body.ts";
export { type ConsistencyTokens, consistencyTokens, withConsistency } from "./http/consistency.ts";
export { clientNetwork } from "./http/client-network.ts";
export { firstHeader, singleHeader } from "./http/header-value.ts";
export { beginRequestContext, type RequestContext, requestContextOf } from "./http/request-context.ts";
export { errorCode } from "./process/error-code.ts";
export { malformedBody } from "./http/malformed-body.ts";
export { mayExplain, requireExplain } from "./http/explain-permission.ts";
export { keepHeapSmall } from "./process/heap.ts";
export { openLog, type Logger } from "./logs/log.ts";
export { type Metrics, countBuckets } from "./metrics/metrics.ts";
export { watchQueues } from "./metrics/queue-metrics.ts";
export { queueConnection } from "./redis/redis.ts";
export { repeatedReport } from "./logs/repeated-report.ts";
export { loggedRequestId, requestIdHeader, requestIdKey } from "./http/request-id.ts";
export { readSuiteStatus } from "./replicas/read-replicas.ts";
export { respond } from "./http/respond.ts";
export { Reply, reply, type RequestInput, type Route, route, uploadRoute } from "./http/route.ts";
export { type CompatAlias, CompatSettings } from "./settings/compat-settings.ts";
export {
  CalledByMcpSettings,
  CalledSettings,
  GatewayContextSettings,
  SealingSettings,
  signingKey,
} from "./contexts/context-settings.ts";
export { upstreamTlsReport } from "./internal-tls/report.ts";
export { expressionBudget, ExpressionSettings } from "./settings/expression-settings.ts";
export { Holdings, organizationShare } from "./limits/holdings.ts";
export { limitBounds, ProjectLimitSettings } from "./limits/project-limits.ts";
export { openProjectRate, type ProjectRate } from "./limits/project-rate.ts";
export { openRequestRate } from "./limits/redis-rates.ts";
export { openProjectSlots, type ProjectSlots } from "./limits/project-slots.ts";
export { sampleRepeatedly } from "./metrics/sample-repeatedly.ts";
export { runService } from "./process/run.ts";
export { exemptFromRequestTimeout, markAuthenticated } from "./http/request-timeouts.ts";
export type { ServerLimits } from "./http/server-limits.ts";
export { noTracing, type Tracing } from "./tracing/tracing.ts";
export { type Service, startService } from "./process/service.ts";
export {
  BaseSettings,
  databaseHosts,
  EgressSettings,
  flag,
  graphSettings,
  httpUrl,
  integer,
  optionalFlag,
  OwnDatabaseSettings,
  ProjectSettings,
  readSettings,
  RefusalSettings,
  secretKey,
  secretKeys,
  settingRows,
} from "./settings/settings.ts";
export { JsonLines, LinesText } from "./http/json-lines.ts";
export { JsonText } from "./http/json-text.ts";
export { sealedTokens } from "./contexts/sealed-tokens.ts";
export { StartError } from "./process/start-error.ts";
export { openSharedBudget, type Reservation, type SharedBudget } from "./limits/shared-budget.ts";
