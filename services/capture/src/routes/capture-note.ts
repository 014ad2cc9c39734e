import type { DataOf } from "@ikg/audit";
import { type Gid, isGid, type NodeRef, omitUndefined } from "@ikg/contracts";
import type { AuditNote } from "@ikg/service";
import { splitNodeName } from "../nodes/split-node-name.ts";

type NodeType =
  | "audit.capture.upsert.node"
  | "audit.capture.delete.node"
  | "audit.capture.delete.node.property"
  | "audit.capture.delete.node.property.metadata";
type RelationshipType =
  | "audit.capture.upsert.relationship"
  | "audit.capture.delete.relationship"
  | "audit.capture.delete.relationship.property";

interface Written {
  readonly type: string;
  readonly value?: unknown;
  readonly external_value?: string | undefined;
}

/** A node or relationship of a request, with whatever it says of properties. */
interface Item {
  readonly properties?: unknown;
  readonly property_types?: readonly string[];
  readonly property_type?: string;
}
type NodeItem = Item & Pick<NodeRef, "type" | "external_id">;
type RelationshipItem = Item & { readonly type: string; readonly source: NodeRef; readonly target: NodeRef };

/** What is written; a delete has its discriminating value there, and that is no list. */
const writtenOf = ({ properties }: Item): readonly Written[] =>
  Array.isArray(properties) ? (properties as readonly Written[]) : [];

const namesOf = (item: Item): readonly string[] => [
  ...writtenOf(item).map(({ type }) => type),
  ...(item.property_types ?? []),
  ...(item.property_type === undefined ? [] : [item.property_type]),
];

/** Properties with their values; of an external value the name of the resolver that knows it. */
const valuesOf = (item: Item): [string, unknown][] =>
  writtenOf(item).map(({ type, value, external_value }) => [type, value ?? { external_value }]);

const keyOf = ({ type, external_id }: Pick<NodeRef, "type" | "external_id">) => ({ type, external_id });
const nodeName = ({ type, external_id }: Pick<NodeRef, "type" | "external_id">): string =>
  `${type}:${external_id}`;

/** The values of all items by name: a batch may write one node or relationship by several items. */
const valuesByName = <T extends Item>(items: readonly T[], nameOf: (item: T) => string) => {
  const written = items.filter((item) => writtenOf(item).length > 0);
  if (written.length === 0) return undefined;
  const byName = [...Map.groupBy(written, nameOf)];
  return Object.fromEntries(byName.map(([name, same]) => [name, Object.fromEntries(same.flatMap(valuesOf))]));
};

const about = <T extends Item>(items: readonly T[], nameOf: (item: T) => string) => {
  const names = [...new Set(items.flatMap(namesOf))];
  return omitUndefined({
    count: items.length,
    properties: names.length === 0 ? undefined : names,
    values: valuesByName(items, nameOf),
  });
};

/** What the record of a batch of nodes says. */
export const nodesNote = (type: NodeType, chain: Gid, nodes: readonly NodeItem[]): AuditNote<NodeType> => ({
  type,
  chain,
  data: { ...about(nodes, nodeName), keys: nodes.map(keyOf) },
});

/** What the record of one node says that its path names, by gid or by `<Type>:<external_id>`. */
export const oneNodeNote = (chain: Gid, id: string, body: Item): AuditNote<NodeType> => {
  const data: DataOf<NodeType> = about([body], () => id);
  const named = splitNodeName(id);
  if (isGid(id)) data.id = id;
  else if (named !== undefined) data.keys = [named];
  return { type: "audit.capture.upsert.node", chain, data };
};

/**
 * What the record of a batch of relationships says.
 *
 * @param skipped places of items that were left out.
 */
export const relationshipsNote = (
  type: RelationshipType,
  chain: Gid,
  all: readonly RelationshipItem[],
  skipped: ReadonlySet<number>,
): AuditNote<RelationshipType> => {
  const items = all.filter((_, at) => !skipped.has(at));
  return {
    type,
    chain,
    data: {
      ...about(items, ({ source, target, type: name }) => `${nodeName(source)} ${name} ${nodeName(target)}`),
      ...(skipped.size === 0 ? {} : { skipped: skipped.size }),
      relationships: items.map(({ source, target, type: name }) => ({
        type: name,
        source: keyOf(source),
        target: keyOf(target),
      })),
    },
  };
};
