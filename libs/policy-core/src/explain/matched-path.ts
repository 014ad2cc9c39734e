import { isJsonObject } from "@ikg/contracts/values";
import { keyField } from "@ikg/physical";
import type { Expression, MapLiteral } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import { distinctByJson } from "../json.ts";
import { call, noPosition, property, variable } from "../rewrite/build.ts";
import type { NamedElement } from "./named-elements.ts";

/** A node as callers know it. */
export interface NodeReference {
  readonly type: string;
  readonly external_id: string;
}

export interface RelationshipReference {
  readonly type: string;
  readonly source: NodeReference;
  readonly target: NodeReference;
}

/** One match of a pattern, in the order of the text: references only, no property values. */
export interface MatchedPath {
  readonly nodes: readonly NodeReference[];
  readonly relationships: readonly RelationshipReference[];
}

const loopVariable = "__each";

const map = (entries: Readonly<Record<string, Expression>>): MapLiteral => ({
  kind: "map",
  entries: Object.entries(entries).map(([key, value]) => ({ kind: "entry", key, value, at: noPosition })),
  at: noPosition,
});

const list = (source: Expression, result: Expression): Expression => ({
  kind: "list-comprehension",
  variable: loopVariable,
  list: source,
  result,
  at: noPosition,
});

const nodeReference = (node: Expression): MapLiteral =>
  map({ type: property(node, "type"), external_id: property(node, "external_id") });

const relationshipReference = (relationship: Expression): MapLiteral =>
  map({
    type: call("type", relationship),
    source: nodeReference(call("startNode", relationship)),
    target: nodeReference(call("endNode", relationship)),
  });

const reference = ({ name, kind }: NamedElement): Expression => {
  switch (kind) {
    case "node":
      return nodeReference(variable(name));
    case "relationship":
      return relationshipReference(variable(name));
    case "hops":
      return list(variable(name), relationshipReference(variable(loopVariable)));
  }
};

const sortKey = ({ name, kind }: NamedElement): Expression => {
  switch (kind) {
    case "node":
      return property(variable(name), keyField);
    case "relationship":
      return call("elementId", variable(name));
    case "hops":
      return list(variable(name), call("elementId", variable(loopVariable)));
  }
};

/**
 * The end of a statement that returns one match: the first by the keys of its nodes and then its relationships.
 * Elements get generated names, which no parser takes for keywords.
 *
 * @param ordered false: any match, for a pattern with too many to put in order.
 */
export const pathColumns = (elements: readonly NamedElement[], ordered: boolean): readonly string[] => {
  const own = elements.map(({ kind }, index): NamedElement => ({ kind, name: `__e${index}` }));
  const renamed = elements.map(({ name }, index) => `${printTree(variable(name))} AS __e${index}`);
  const keys = (isNode: boolean): readonly string[] =>
    own.filter(({ kind }) => (kind === "node") === isNode).map((element) => printTree(sortKey(element)));
  const order = [...keys(true), ...keys(false)].join(", ");
  const columns = own.map((element, index) => `${printTree(reference(element))} AS e${index}`);
  return [
    `WITH ${renamed.join(", ")}${ordered ? ` ORDER BY ${order}` : ""} LIMIT 1`,
    `RETURN ${columns.join(", ")}`,
  ];
};

const isNode = (value: unknown): value is NodeReference =>
  isJsonObject(value) && typeof value["type"] === "string" && typeof value["external_id"] === "string";

const isRelationship = (value: unknown): value is RelationshipReference =>
  isJsonObject(value) &&
  typeof value["type"] === "string" &&
  isNode(value["source"]) &&
  isNode(value["target"]);

const nodeOf = ({ type, external_id }: NodeReference): NodeReference => ({ type, external_id });

/** Reads the columns back; what an OPTIONAL MATCH did not find is null there and left out. */
export const readPath = (
  elements: readonly NamedElement[],
  row: Readonly<Record<string, unknown>>,
): MatchedPath => {
  const nodes: NodeReference[] = [];
  const relationships: RelationshipReference[] = [];
  elements.forEach((element, index) => {
    const value = row[`e${index}`];
    if (element.kind === "node") {
      if (isNode(value)) nodes.push(nodeOf(value));
      return;
    }
    const hops: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const { type, source, target } of hops.filter(isRelationship)) {
      const hop = { type, source: nodeOf(source), target: nodeOf(target) };
      relationships.push(hop);
      // The nodes between the hops of a variable length have no pattern of their own.
      if (element.kind === "hops") nodes.push(hop.source, hop.target);
    }
  });
  return { nodes: distinctByJson(nodes), relationships: distinctByJson(relationships) };
};
