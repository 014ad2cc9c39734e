export { claimLabel } from "./claim-label.ts";
export { sharedOwner } from "./claim.ts";
export { connectGraph } from "./connect.ts";
export { graphReadyCheck } from "./graph-ready-check.ts";
export {
  DataFault,
  DatabaseUnavailableError,
  isConstraintViolation,
  isStatementTimeout,
  isTransient,
  MemoryLimitExceeded,
  StatementTimeout,
  timeoutAsUnavailable,
  withTimeoutAsUnavailable,
} from "./errors.ts";
export { intakeUpTo } from "./intake-up-to.ts";
export type { ResolveHost } from "./guarded-driver.ts";
export {
  isGraphNode,
  isGraphPath,
  isGraphRelationship,
  type GraphNode,
  type GraphPath,
  type GraphRelationship,
} from "./results.ts";
export { prepareGraphSchema } from "./schema.ts";
export {
  readSchemaState,
  schemaFields,
  SchemaMismatch,
  type SchemaState,
  type SchemaVersions,
  schemaVersions,
  whyUnreadable,
} from "./schema-version.ts";
export type { StatementClass } from "./scheduling/statement-class.ts";
export { takeDatabase } from "./take-database.ts";
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
  Intake,
  OwnSchemaEvent,
  Params,
  DatabasePart,
  ProjectGraph,
  Row,
  SlowStatement,
  StatementEvent,
  StatementOptions,
  Transaction,
} from "./types.ts";
export type { PlanOperator } from "./plan.ts";
