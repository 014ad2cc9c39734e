export { claimLabel } from "./claim.ts";
export { connectGraph } from "./connect.ts";
export { DataFault, GraphAway, isConstraintViolation, StatementTimeout } from "./errors.ts";
export type { ResolveHost } from "./guarded-driver.ts";
export {
  isGraphNode,
  isGraphPath,
  isGraphRelationship,
  type GraphNode,
  type GraphPath,
  type GraphRelationship,
} from "./results.ts";
export { type Taken, takeDatabase } from "./take-database.ts";
export type {
  Connection,
  Database,
  Graph,
  GraphHooks,
  GraphSettings,
  Params,
  Row,
  StatementEvent,
  StatementOptions,
  Transaction,
} from "./types.ts";
