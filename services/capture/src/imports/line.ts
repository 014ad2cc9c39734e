import { isUtf8 } from "node:buffer";
import {
  CompleteLine,
  faultsOf,
  importLimits,
  NodeLine,
  type NodeRef,
  RelationshipLine,
  type UpsertNode,
  type UpsertRelationship,
  isJsonObject,
} from "@ikg/contracts";
import { labelRefusals, nodeRefRefusals, relationshipTypeRefusals } from "../batches/refusals.ts";

/** The content of a line, or why it is rejected; undefined for a blank line and for the last one of an export. */
export type Line =
  | { readonly node: UpsertNode }
  | { readonly relationship: UpsertRelationship }
  | { readonly errors: readonly string[] }
  | undefined;

const rejected = (...errors: readonly string[]): Line => ({ errors: errors.slice(0, importLimits.reasons) });

const refRefusals = (ref: NodeRef, path: string): string[] =>
  ref.location === undefined
    ? nodeRefRefusals(ref, path, { composite: undefined })
    : [`${path}.location: an import has no locations`];

const nodeOf = (value: object): Line => {
  const { success, data, error } = NodeLine.safeParse(value, { reportInput: true });
  if (!success) return rejected(...faultsOf(error));
  const { node } = data;
  const refusals = [...refRefusals(node, "node"), ...labelRefusals(node.labels, "node")];
  return refusals.length === 0 ? data : rejected(...refusals);
};

const relationshipOf = (value: object): Line => {
  const { success, data, error } = RelationshipLine.safeParse(value, { reportInput: true });
  if (!success) return rejected(...faultsOf(error));
  const { source, target, type } = data.relationship;
  const refusals = [
    ...refRefusals(source, "relationship.source"),
    ...refRefusals(target, "relationship.target"),
    ...relationshipTypeRefusals(type, "relationship"),
  ];
  return refusals.length === 0 ? data : rejected(...refusals);
};

/**
 * Reads one line of an import: the rules of a node or relationship in a batch.
 *
 * @param bytes without the newline; undefined for a line that was too long.
 */
export const readLine = (bytes: Buffer | undefined): Line => {
  if (bytes === undefined) return rejected(`line: longer than ${importLimits.lineBytes} bytes`);
  if (!isUtf8(bytes)) return rejected("line: UTF-8 expected");
  const text = bytes.toString();
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return rejected("line: JSON expected");
  }
  if (!isJsonObject(value) || Object.keys(value).length !== 1)
    return rejected("line: an object with either node or relationship expected");
  if ("node" in value) return nodeOf(value);
  if (CompleteLine.safeParse(value).success) return undefined;
  return "relationship" in value
    ? relationshipOf(value)
    : rejected("line: an object with either node or relationship expected");
};
