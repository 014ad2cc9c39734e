import {
  type Faults,
  member,
  namePattern,
  readArray,
  readName,
  readObject,
  type JsonObject,
  readStrings,
  relationshipTypePattern,
  typePattern,
} from "../json.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import { type ValueSource, readValueSource, type ValueKind } from "./value-source.ts";

/** One metadata value of a property. */
interface MetadataWrite {
  readonly key: string;
  readonly source: ValueSource;
}

/** One property to set: its value, or the name of the resolver that knows it. */
export interface PropertyWrite {
  readonly name: string;
  readonly content: "value" | "external_value";
  readonly source: ValueSource;
  readonly metadata: readonly MetadataWrite[];
}

/** An entry of `upsert_nodes`; `name` is an alias of the pattern, or the name of a new node. */
export type NodeUpsert = { readonly name: string; readonly properties: readonly PropertyWrite[] } & (
  | { readonly kind: "existing" }
  | {
      readonly kind: "new";
      readonly type: string;
      readonly externalId: ValueSource;
      /** Extra labels, the marker of identity nodes not among them. */
      readonly labels: readonly string[];
      readonly isIdentity: boolean;
    }
);

/** An entry of `upsert_relationships`. */
export type RelationshipUpsert = { readonly name: string; readonly properties: readonly PropertyWrite[] } & (
  | { readonly kind: "existing" }
  | {
      readonly kind: "new";
      readonly type: string;
      readonly source: string;
      readonly target: string;
      /** The property whose value distinguishes parallel relationships. */
      readonly discriminating: string | undefined;
    }
);

/** What a query writes, in the order of its lists. */
export interface Writes {
  readonly upsertNodes: readonly NodeUpsert[];
  readonly upsertRelationships: readonly RelationshipUpsert[];
  readonly deleteNodes: readonly NodePath[];
  readonly deleteRelationships: readonly RelationshipPath[];
}

/** Limit of the entries of `upsert_nodes` and of `upsert_relationships`. */
export const maxUpserts = 50;

/** Adds a fault for a name that an earlier entry of the list has. */
const onceOnly = (faults: Faults): ((name: string, path: string) => void) => {
  const seen = new Set<string>();
  return (name, path) => {
    if (seen.has(name)) faults.add(path, "given twice");
    seen.add(name);
  };
};

const metadataKinds: Readonly<Record<string, ValueKind>> = {
  verified_time: "verified_time",
  source: "source",
  assurance_level: "assurance_level",
};

const kindOfMetadata = (key: string): ValueKind =>
  (Object.hasOwn(metadataKinds, key) ? metadataKinds[key] : undefined) ?? "value";

const readMetadata = (value: unknown, path: string, faults: Faults): readonly MetadataWrite[] => {
  const once = onceOnly(faults);
  return readArray(value, path, faults).flatMap((entry, index): MetadataWrite[] => {
    const at = `${path}[${index}]`;
    const object = readObject(entry, at, ["type", "value"], faults);
    if (object === undefined) return [];
    const key = readName(member(object, "type"), `${at}.type`, namePattern, "a metadata key", faults);
    if (key !== undefined) once(key, `${at}.type`);
    const source = readValueSource(member(object, "value"), `${at}.value`, kindOfMetadata(key ?? ""), faults);
    return key === undefined || source === undefined ? [] : [{ key, source }];
  });
};

/** What a property entry belongs to: relationships have neither metadata nor resolvers. */
type PropertyHolder = "node" | "relationship";

const readContent = (
  entry: { readonly value: unknown; readonly external: unknown },
  at: string,
  faults: Faults,
): Pick<PropertyWrite, "content" | "source"> | undefined => {
  const { value, external } = entry;
  if ((value === undefined) === (external === undefined)) {
    faults.add(at, "exactly one of value and external_value expected");
    return undefined;
  }
  const content = value === undefined ? "external_value" : "value";
  const source: ValueSource | undefined = readValueSource(
    value ?? external,
    `${at}.${content}`,
    content,
    faults,
  );
  return source && { content, source };
};

/** Reads the `properties` of an upsert entry. */
const readProperties = (
  value: unknown,
  path: string,
  holder: PropertyHolder,
  faults: Faults,
): readonly PropertyWrite[] => {
  const once = onceOnly(faults);
  return readArray(value, path, faults).flatMap((entry, index): PropertyWrite[] => {
    const at = `${path}[${index}]`;
    const object = readObject(entry, at, ["type", "value", "external_value", "metadata"], faults);
    if (object === undefined) return [];
    const name = readName(member(object, "type"), `${at}.type`, namePattern, "a property name", faults);
    if (name !== undefined) once(name, `${at}.type`);
    const external = member(object, "external_value");
    const metadata = member(object, "metadata");
    if (holder === "relationship") {
      if (external !== undefined) faults.add(`${at}.external_value`, "not possible on a relationship");
      if (metadata !== undefined) faults.add(`${at}.metadata`, "not possible on a relationship");
      if (external !== undefined || metadata !== undefined) return [];
    }
    const content = readContent({ value: member(object, "value"), external }, at, faults);
    const read = readMetadata(metadata, `${at}.metadata`, faults);
    return name === undefined || content === undefined ? [] : [{ name, ...content, metadata: read }];
  });
};

/** An entry of `upsert_nodes` before it is known whether its name is an alias of the pattern. */
export interface RawNodeUpsert {
  readonly path: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly externalId: ValueSource | undefined;
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

/** Limit of the extra labels of a new node. */
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
      externalId:
        id === undefined ? undefined : readValueSource(id, `${path}.external_id`, "external_id", faults),
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
