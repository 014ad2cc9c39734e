import neo4j, { type Node, type Path, type Record as DriverRecord, type Relationship } from "neo4j-driver";
import type { Row } from "../types.ts";

/** One record as a plain object by column. */
export const rowOf = (record: DriverRecord): Row => {
  const row: Record<string, unknown> = {};
  for (const key of record.keys) if (typeof key === "string") row[key] = record.get(key);
  return row;
};

/** A node of the driver, with `labels`, `properties`, `identity`, `elementId`; numbers are plain. */
export type GraphNode = Node<number>;
/** A relationship of the driver, with `type`, `properties`, `start`, `end`, `identity`, `elementId`. */
export type GraphRelationship = Relationship<number>;
/** A path of the driver, with `start`, `end`, `segments`. */
export type GraphPath = Path<number>;

// The driver's tests are written for its default integers; the target has plain numbers.
export const isGraphNode = (value: unknown): value is GraphNode =>
  typeof value === "object" && value !== null && neo4j.isNode(value);
export const isGraphRelationship = (value: unknown): value is GraphRelationship =>
  typeof value === "object" && value !== null && neo4j.isRelationship(value);
export const isGraphPath = (value: unknown): value is GraphPath =>
  typeof value === "object" && value !== null && neo4j.isPath(value);
