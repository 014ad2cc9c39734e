export { auditedRequest } from "./audit/audited-request.ts";
export { introspectionNote } from "./audit/introspection-note.ts";
export type { AuditNote, Note } from "./audit/note.ts";
export { onBehalfOf } from "./audit/on-behalf-of.ts";
export { rejectionNote } from "./audit/rejection-note.ts";
export { type RepeatedRefusals, openRepeatedRefusals } from "./audit/repeated-refusals.ts";
export type { AuditTrail, RequestTrail } from "./audit/trail.ts";
export { defaultBodyLimit, maxDepth, nestsWithin, type ReadBody } from "./body.ts";
export { type ConsistencyTokens, consistencyTokens, withConsistency } from "./consistency.ts";
export { clientNetwork } from "./client-network.ts";
export { firstHeader, singleHeader } from "./header-value.ts";
export { beginRequestContext, type RequestContext, requestContextOf } from "./request-context.ts";
export { errorCode } from "./error-code.ts";
export { mayExplain, requireExplain } from "./explain-permission.ts";
export { keepHeapSmall } from "./heap.ts";
export { openLog, type Logger } from "./log.ts";
export { type Metrics, countBuckets } from "./metrics.ts";
export { watchQueues } from "./queue-metrics.ts";
export { queueConnection } from "./redis.ts";
export { repeatedReport } from "./repeated-report.ts";
export { loggedRequestId, requestIdHeader, requestIdKey } from "./request-id.ts";
export { readSuiteStatus } from "./replicas/read-replicas.ts";
export { respond } from "./respond.ts";
export {
  type CallerKind,
  Reply,
  reply,
  type RequestInput,
  type Route,
  route,
  type RouteDefinition,
  uploadRoute,
} from "./route.ts";
export { type CompatAlias, CompatSettings } from "./compat-settings.ts";
export {
  CalledByMcpSettings,
  CalledSettings,
  GatewayContextSettings,
  SealingSettings,
  signingKey,
} from "./context-settings.ts";
export { upstreamTlsReport } from "./internal-tls/report.ts";
export { expressionBudget, ExpressionSettings } from "./expression-settings.ts";
export { limitBounds, ProjectLimitSettings } from "./project-limits.ts";
export { openProjectRate, type ProjectRate } from "./project-rate.ts";
export { openRequestRate } from "./redis-rates.ts";
export { openProjectSlots, type ProjectSlots } from "./project-slots.ts";
export { sampleRepeatedly } from "./sample-repeatedly.ts";
export { runService } from "./run.ts";
export { exemptFromRequestTimeout, markAuthenticated } from "./request-timeouts.ts";
export type { ServerLimits } from "./server-limits.ts";
export { noTracing, type Tracing } from "./tracing/tracing.ts";
export { type Service, startService } from "./service.ts";
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
  type SettingRow,
  settingRows,
} from "./settings.ts";
export { JsonLines, LinesText } from "./json-lines.ts";
export { JsonText } from "./json-text.ts";
export { type SealedTokens, sealedTokens } from "./sealed-tokens.ts";
export { StartError } from "./start-error.ts";
export { openSharedBudget, type Reservation, type SharedBudget } from "./shared-budget.ts";
