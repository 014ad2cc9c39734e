/** The lines of imports and what they are judged by, for programs that write them; without what needs modules of Node. */
export { toInstant } from "../values/index.ts";
export { faultsOf } from "../parse.ts";
export { CompleteLine, NodeLine, RelationshipLine } from "./imports.ts";
export { UpsertNode } from "./upsert-nodes.ts";
export { UpsertRelationship } from "./upsert-relationships.ts";
