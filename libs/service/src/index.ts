export { newExpress } from "./app.ts";
export { defaultBodyLimit, maxDepth } from "./body.ts";
export { exchangeOf, type Exchange } from "./exchange.ts";
export { openLog, type Logger } from "./log.ts";
export type { Metrics } from "./metrics.ts";
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
} from "./route.ts";
export { runService } from "./run.ts";
export { type Service, startService } from "./service.ts";
export {
  BaseSettings,
  databaseHosts,
  EgressSettings,
  flag,
  graphSettings,
  httpUrl,
  integer,
  OwnDatabaseSettings,
  ProjectSettings,
  readSettings,
  secretKey,
  secretKeys,
  type SettingRow,
  settingRows,
} from "./settings.ts";
export { StartError } from "./start-error.ts";
