export { newExpress } from "./app.ts";
export { auditedRequest } from "./audit/audited-request.ts";
export { introspectionNote } from "./audit/introspection-note.ts";
export type { AuditNote, Note } from "./audit/note.ts";
export { onBehalfOf } from "./audit/on-behalf-of.ts";
export { rejectionNote } from "./audit/rejection-note.ts";
export type { AuditTrail, RequestTrail } from "./audit/trail.ts";
export { defaultBodyLimit, maxDepth, nestsWithin, readBody } from "./body.ts";
export {
  type ConsistencyTokens,
  consistencyHeader,
  consistencyTokens,
  withConsistency,
} from "./consistency.ts";
export { exchangeOf, type Exchange } from "./exchange.ts";
export { mayExplain, requireExplain } from "./explain.ts";
export { keepHeapSmall } from "./heap.ts";
export { openLog, type Logger } from "./log.ts";
export { type Metrics, pieces } from "./metrics.ts";
export { watchQueues } from "./queue-numbers.ts";
export { queueConnection, redisClient } from "./redis.ts";
export { requestIdHeader } from "./request-id.ts";
export { respond, respondProblem } from "./respond.ts";
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
export { runService } from "./run.ts";
export { takesItsTime } from "./server.ts";
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
  secretKey,
  secretKeys,
  type SettingRow,
  settingRows,
} from "./settings.ts";
export { type SignedTokens, signedTokens } from "./signed-tokens.ts";
export { StartError } from "./start-error.ts";
