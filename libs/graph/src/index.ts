export { connectGraph } from "./connect.ts";
export { DataFault, GraphAway, isConstraintViolation, StatementTimeout } from "./errors.ts";
export {
  isGraphNode,
  isGraphPath,
  isGraphRelationship,
  type GraphNode,
  type GraphPath,
  type GraphRelationship,
} from "./results.ts";
export type {
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
