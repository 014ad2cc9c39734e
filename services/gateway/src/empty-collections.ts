import { type Operation, rolesThat } from "@ikg/contracts";

const emptyCollection = (operation: string, path: string): Operation => ({
  operation,
  method: "get",
  path,
  service: "configs",
  access: { credential: "administrator", roles: rolesThat.readRecords },
  writes: false,
});

/** Lists of collections that this product does not have: answered without a record, to callers who may list others. */
export const emptyCollections: readonly Operation[] = [
  emptyCollection("list_event_sinks", "/configs/v1/event-sinks"),
  emptyCollection("list_entity_matching_pipelines", "/configs/v1/entity-matching-pipelines"),
];
