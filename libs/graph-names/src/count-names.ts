import { namedMetadata } from "@ikg/contracts";
import type { Database, Transaction } from "@ikg/graph";
import {
  labelName,
  metadataField,
  nodeField,
  type ProjectKey,
  propertyField,
  relationshipPropertyName,
  writtenRanges,
} from "@ikg/physical";
import { type NamesByKind, noNames } from "./name-use.ts";
import { hasNodesText, namesOfNodesText } from "./statements.ts";

/** Nodes that one statement looks at. */
const pageSize = 2_000;
/** A page with a node of very many relationships takes long. */
const timeoutMs = 120_000;

/** True when callers wrote a node of a project. */
export const hasNodes = async (tx: Transaction, pk: ProjectKey): Promise<boolean> =>
  (await tx.run(hasNodesText, { ranges: writtenRanges(pk) })).length > 0;

const named: ReadonlySet<string> = new Set(namedMetadata);

/** The name under which a physical key of a node counts; undefined for keys of the platform, and those that follow another one. */
const nodeName = (field: string): string | undefined => {
  const known = nodeField(field);
  switch (known?.kind) {
    case "value":
    case "external_value":
    case "property_time":
      return propertyField(known.property);
    case "metadata":
      return named.has(known.key) ? propertyField(known.property) : metadataField(known.property, known.key);
    default:
      return undefined;
  }
};

const texts = (value: unknown): readonly string[] => value as string[]; // lists of names, from the statement

/**
 * Finds the names that a graph holds, a page of nodes at a time, so that no statement takes long.
 *
 * @throws as `Database.read`.
 */
export const countNames = async (database: Database, pk: ProjectKey): Promise<NamesByKind> => {
  const names = noNames();
  for (const range of writtenRanges(pk))
    for (let { after } = range; ;) {
      const params = { after, upTo: range.before, size: pageSize };
      const [row] = await database.read(namesOfNodesText, params, { timeoutMs });
      if (row === undefined) break;
      for (const label of texts(row["labels"])) {
        const name = labelName(label, pk);
        if (name !== undefined && !name.startsWith("_")) names.node_types.add(name);
      }
      for (const field of texts(row["nodeFields"])) {
        const name = nodeName(field);
        if (name !== undefined) names.property_names.add(name);
      }
      for (const type of texts(row["types"])) if (!type.startsWith("_")) names.relationship_types.add(type);
      for (const field of texts(row["relationshipFields"]))
        if (relationshipPropertyName(field) !== undefined) names.property_names.add(field);
      if (Number(row["size"]) < pageSize) break;
      after = String(row["last"]);
    }
  return names;
};
