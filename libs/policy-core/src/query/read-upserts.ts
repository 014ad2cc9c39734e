import type { Faults } from "../checked.ts";
import type { JsonObject } from "../json.ts";
import {
  member,
  namePattern,
  readArray,
  readName,
  readObject,
  readStrings,
  relationshipTypePattern,
  typePattern,
} from "../shape.ts";
import { readGiven, type Given } from "./given.ts";
import { readProperties } from "./read-properties.ts";
import { maxUpserts, type PropertyWrite } from "./writes.ts";

/** An entry of `upsert_nodes` before it is known whether its name is an alias of the pattern. */
export interface RawNodeUpsert {
  readonly path: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly externalId: Given | undefined;
  readonly labels: readonly string[] | undefined;
  readonly properties: readonly PropertyWrite[];
}

/** An entry of `upsert_relationships` likewise. */
export interface RawRelationshipUpsert {
  readonly path: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly properties: readonly PropertyWrite[];
}

/** Most extra labels of a new node. */
export const maxLabels = 32;

const entriesOf = (value: unknown, path: string, faults: Faults): readonly unknown[] => {
  const entries = readArray(value, path, faults);
  if (entries.length <= maxUpserts) return entries;
  faults.add(path, `at most ${maxUpserts} entries`);
  return [];
};

const nameOf = (object: JsonObject, at: string, faults: Faults): string | undefined => {
  const name = readName(member(object, "name"), `${at}.name`, namePattern, "a name for an alias", faults);
  if (name?.startsWith("__") !== true) return name;
  faults.add(`${at}.name`, `the name "${name.slice(0, 64)}" is reserved`);
  return undefined;
};

const readType = (value: unknown, path: string, faults: Faults): string | undefined => {
  const type = value === undefined ? undefined : readName(value, path, typePattern, "a node type", faults);
  if (type?.startsWith("_") !== true) return type;
  faults.add(path, "a node type that does not start with _");
  return undefined;
};

const readLabels = (value: unknown, path: string, faults: Faults): readonly string[] | undefined => {
  if (value === undefined) return undefined;
  const labels = readStrings(value, path, faults);
  if (labels.length > maxLabels) faults.add(path, `at most ${maxLabels} labels`);
  labels.forEach((label, index) => readType(label, `${path}[${index}]`, faults));
  return labels;
};

/** Reads the shape of `upsert_nodes`. */
export const readNodeUpserts = (query: JsonObject, faults: Faults): readonly RawNodeUpsert[] =>
  entriesOf(member(query, "upsert_nodes"), "query.upsert_nodes", faults).flatMap((entry, index) => {
    const path = `query.upsert_nodes[${index}]`;
    const object = readObject(entry, path, ["name", "type", "external_id", "labels", "properties"], faults);
    if (object === undefined) return [];
    const name = nameOf(object, path, faults);
    const id = member(object, "external_id");
    const raw = {
      path,
      type: readType(member(object, "type"), `${path}.type`, faults),
      externalId: id === undefined ? undefined : readGiven(id, `${path}.external_id`, "external_id", faults),
      labels: readLabels(member(object, "labels"), `${path}.labels`, faults),
      properties: readProperties(member(object, "properties"), `${path}.properties`, "node", faults),
    };
    return name === undefined ? [] : [{ ...raw, name }];
  });

/** Reads the shape of `upsert_relationships`. */
export const readRelationshipUpserts = (
  query: JsonObject,
  faults: Faults,
): readonly RawRelationshipUpsert[] =>
  entriesOf(member(query, "upsert_relationships"), "query.upsert_relationships", faults).flatMap(
    (entry, index) => {
      const path = `query.upsert_relationships[${index}]`;
      const object = readObject(entry, path, ["name", "type", "source", "target", "properties"], faults);
      if (object === undefined) return [];
      const name = nameOf(object, path, faults);
      const optional = (key: string, pattern: RegExp, reason: string): string | undefined => {
        const value = member(object, key);
        return value === undefined ? undefined : readName(value, `${path}.${key}`, pattern, reason, faults);
      };
      const raw = {
        path,
        type: optional("type", relationshipTypePattern, "a relationship type in upper case"),
        source: optional("source", namePattern, "an alias, or the name of an upsert_nodes entry"),
        target: optional("target", namePattern, "an alias, or the name of an upsert_nodes entry"),
        properties: readProperties(
          member(object, "properties"),
          `${path}.properties`,
          "relationship",
          faults,
        ),
      };
      return name === undefined ? [] : [{ ...raw, name }];
    },
  );
