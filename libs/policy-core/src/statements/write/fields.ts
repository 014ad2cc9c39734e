import {
  discriminatingProperty,
  externalValueField,
  metadataField,
  propertyField,
  propertyTimeField,
  relationshipDiscriminator,
  relationshipField,
} from "@ikg/physical";
import { bindValueSource, type ValueSource } from "../../query/value-source.ts";
import type { NodeUpsert, RelationshipUpsert, Writes } from "../../query/read-upserts.ts";
import type { BoundValues } from "../../values/bind.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What an entry of `upsert_nodes` writes for one request. */
interface BoundNode {
  /** Physical keys to set; null removes. */
  readonly fields: Fields;
  /** Of a new node. */
  readonly externalId: string | undefined;
}

/** What an entry of `upsert_relationships` writes for one request. */
interface BoundRelationship {
  readonly fields: Fields;
  /** Of a new relationship. */
  readonly discriminator: string;
  /** The discriminator that each written value would give to a relationship that it distinguishes. */
  readonly discriminators: Fields;
}

/** The values of a query's upserts for one request, in the order of its entries. */
export interface BoundUpserts {
  readonly nodes: readonly BoundNode[];
  readonly relationships: readonly BoundRelationship[];
}

type Bind = (source: ValueSource) => unknown;

/** The same fields that capture sets for the same property. */
const nodeFields = ({ properties }: NodeUpsert, bind: Bind, now: string): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const { name, content, source, metadata } of properties) {
    const bound = bind(source);
    // Each of the two replaces the other.
    fields[propertyField(name)] = content === "value" ? bound : null;
    fields[externalValueField(name)] = content === "value" ? null : bound;
    fields[propertyTimeField(name)] = now;
    for (const { key, source: value } of metadata) fields[metadataField(name, key)] = bind(value);
  }
  return fields;
};

const boundNode = (entry: NodeUpsert, bind: Bind, now: string): BoundNode => {
  const fields = nodeFields(entry, bind, now);
  if (entry.kind === "existing") return { fields, externalId: undefined };
  if (entry.isIdentity) fields["is_identity"] = true;
  return { fields, externalId: String(bind(entry.externalId)) };
};

const boundRelationship = (entry: RelationshipUpsert, bind: Bind): BoundRelationship => {
  const values = new Map(entry.properties.map(({ name, source }) => [name, bind(source)]));
  const named = entry.kind === "new" ? entry.discriminating : undefined;
  return {
    fields: Object.fromEntries([...values].map(([name, value]) => [relationshipField(name), value])),
    discriminator: relationshipDiscriminator(named === undefined ? undefined : values.get(named)),
    discriminators: Object.fromEntries(
      [...values]
        .filter(([name]) => name !== discriminatingProperty)
        .map(([name, value]) => [name, relationshipDiscriminator(value)]),
    ),
  };
};

/**
 * Binds the values of a query's upserts for one request.
 *
 * @param now RFC 3339 time of the request in UTC.
 * @returns what each entry writes, or the texts of the 422: parameters and claims of the wrong kind.
 */
export const bindUpserts = (
  writes: Writes,
  values: BoundValues,
  now: string,
):
  | { readonly ok: true; readonly value: BoundUpserts }
  | { readonly ok: false; readonly faults: readonly string[] } => {
  const faults = new Set<string>();
  const bind: Bind = (given) => {
    const bound = bindValueSource(given, values);
    if ("value" in bound) return bound.value;
    faults.add(bound.fault);
    return null;
  };
  const value = {
    nodes: writes.upsertNodes.map((entry) => boundNode(entry, bind, now)),
    relationships: writes.upsertRelationships.map((entry) => boundRelationship(entry, bind)),
  };
  return faults.size === 0 ? { ok: true, value } : { ok: false, faults: [...faults] };
};
