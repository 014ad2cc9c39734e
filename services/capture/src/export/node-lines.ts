import { captureLimits, importLimits, namedMetadata, type Value, valueFault } from "@ikg/contracts";
import { extraLabels, nodeField, type NodeField, type ProjectKey } from "@ikg/physical";
import { nodeName, notExportable } from "./not-exportable.ts";

/** A node as the database has it. */
export interface StoredNode {
  readonly labels: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A property as a line has it; the order of the members is that of the text. */
interface LineProperty {
  readonly type: string;
  value?: Value;
  external_value?: unknown;
  metadata?: Record<string, unknown>;
}

const named: ReadonlySet<string> = new Set(namedMetadata);

const compare = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** @throws Problem `unprocessable` (422) for what JSON cannot hold or a capture does not take. */
const checked = (value: unknown, owner: string, field: string): Value => {
  const fault = valueFault(value);
  if (fault !== undefined) throw notExportable(owner, `${field} cannot be exported: ${fault}`);
  return value as Value; // just established
};

const addMetadata = (property: LineProperty, key: string, value: Value): void => {
  const metadata = (property.metadata ??= {});
  if (named.has(key)) metadata[key] = value;
  else {
    // Without a prototype: a key may be called anything.
    const custom = (metadata["custom_metadata"] ??= Object.create(null)) as Record<string, unknown>;
    Object.defineProperty(custom, key, { value, enumerable: true });
  }
};

const addField = (
  property: LineProperty,
  known: Exclude<NodeField, { kind: "system" | "property_time" }>,
  value: Value,
): void => {
  if (known.kind === "value") property.value = value;
  else if (known.kind === "external_value") property.external_value = value;
  else addMetadata(property, known.key, value);
};

/** Every property with its value and metadata, in the order of the names. */
const propertiesOf = (fields: StoredNode["fields"], owner: string): readonly LineProperty[] => {
  const properties = new Map<string, LineProperty>();
  for (const [field, stored] of Object.entries(fields).sort(compare)) {
    const known = nodeField(field);
    if (known === undefined) {
      if (field.startsWith("_")) continue;
      throw notExportable(owner, `field ${field} was not written by this suite`);
    }
    if (known.kind === "system" || known.kind === "property_time") continue;
    const property = properties.get(known.property) ?? { type: known.property };
    properties.set(known.property, property);
    addField(property, known, checked(stored, owner, `property ${known.property}`));
  }
  for (const { type, value, external_value: external, metadata } of properties.values()) {
    if ((value === undefined) === (external === undefined))
      throw notExportable(owner, `property ${type} has not exactly one of value and external_value`);
    const custom = metadata?.["custom_metadata"] as object | undefined; // as addMetadata made it
    if (custom !== undefined && Object.keys(custom).length > captureLimits.customMetadata)
      throw notExportable(
        owner,
        `property ${type} has more than ${captureLimits.customMetadata} keys of metadata`,
      );
  }
  return [...properties].sort(compare).map(([, property]) => property);
};

/** The properties as lists that fit one line each; a node may have more lines than one. */
const partsOf = (properties: readonly LineProperty[], head: number, owner: string): LineProperty[][] => {
  const parts: LineProperty[][] = [[]];
  let bytes = head;
  for (const property of properties) {
    const size = Buffer.byteLength(JSON.stringify(property)) + 1;
    if (head + size > importLimits.lineBytes)
      throw notExportable(owner, `property ${property.type} needs more than a line of an import may have`);
    const part = parts.at(-1);
    if (
      part !== undefined &&
      part.length < captureLimits.properties &&
      bytes + size <= importLimits.lineBytes
    )
      part.push(property);
    else parts.push([property]);
    bytes = parts.at(-1)?.length === 1 ? head + size : bytes + size;
  }
  return parts;
};

/**
 * The lines of an import that write a node: one, or several where its properties do not fit one.
 *
 * @throws Problem `unprocessable` (422) naming what no line can say.
 */
export const nodeLines = ({ labels, fields }: StoredNode, pk: ProjectKey): readonly string[] => {
  const [type, externalId] = [String(fields["type"]), String(fields["external_id"])];
  const owner = nodeName(type, externalId);
  const extra = extraLabels(labels, type, pk);
  if (extra.length > captureLimits.labels)
    throw notExportable(owner, `more than ${captureLimits.labels} labels`);
  const node = {
    external_id: externalId,
    type,
    is_identity: fields["is_identity"] === true,
    ...(extra.length === 0 ? {} : { labels: extra }),
  };
  const properties = propertiesOf(fields, owner);
  if (properties.length === 0) return [JSON.stringify({ node })];
  const head = Buffer.byteLength(JSON.stringify({ node: { ...node, properties: [] } }));
  return partsOf(properties, head, owner).map((part) =>
    JSON.stringify({ node: { ...node, properties: part } }),
  );
};
