export { claimLabel } from "./connections/claim-label.ts";
export { sharedOwner } from "./connections/claim.ts";
export { connectGraph } from "./connections/connect.ts";
export { graphReadyCheck } from "./connections/graph-ready-check.ts";
export {
  DataFault,
  dataFaultReason,
  DatabaseUnavailableError,
  isConstraintViolation,
  isStatementTimeout,
  isTransient,
  MemoryLimitExceeded,
  StatementTimeout,
  timeoutAsUnavailable,
  withTimeoutAsUnavailable,
} from "./errors.ts";
export { createResponseBudget } from "./connections/response-budget.ts";
export type { ResolveHost } from "./connections/guarded-driver.ts";
export { isPlainObject } from "./statements/is-plain-object.ts";
export {
  isGraphNode,
  isGraphPath,
  isGraphRelationship,
  type GraphNode,
  type GraphRelationship,
} from "./statements/results.ts";
export { prepareGraphSchema } from "./schema/schema.ts";
export {
  readSchemaState,
  schemaFields,
  SchemaMismatch,
  type SchemaState,
  schemaVersions,
  whyUnreadable,
} from "./schema/schema-version.ts";
export type { StatementClass } from "./scheduling/statement-class.ts";
export { takeDatabase } from "./connections/take-database.ts";
export { isTemporaryFailure } from "./temporary-failure.ts";
export type {
  Bookmarks,
  CompositeGraph,
  Connection,
  Connections,
  Database,
  Graph,
  GraphHooks,
  GraphSettings,
  OwnSchemaEvent,
  Params,
  DatabasePart,
  ProjectGraph,
  ResponseBudget,
  Row,
  SlowStatement,
  StatementEvent,
  StatementOptions,
  Transaction,
} from "./types.ts";
export type { PlanOperator } from "./statements/plan.ts";
