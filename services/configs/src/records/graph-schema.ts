import type { Transaction } from "@ikg/graph";
import { nodeField, projectNamesKey, projectNamesLabel } from "@ikg/physical";
import type { GraphSchema } from "@ikg/policy-core/warnings";
import type { StoredRecord } from "./record.ts";

/** The list of names of a project (docs/graph-names.md), once it has the names of everything that is there. */
const namesText = `MATCH (g:${projectNamesLabel} {key: $key}) WHERE g.count_time IS NOT NULL
RETURN g.property_names AS properties, g.relationship_types AS relationships, g.node_types AS nodes`;

/** The caller's name of a property, value or not, from its physical key; undefined for what is not a property. */
const propertyName = (field: string): string | undefined => {
  const known = nodeField(field);
  return known === undefined || known.kind === "system" ? undefined : known.property;
};

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []); // as it is written

/**
 * The names that the graph of a project has ever held, for warnings of names that it does not hold. Which type has a property is
 * not known, so each type counts as having all of them.
 *
 * @returns undefined where they are not known: nothing was captured yet, the names are being counted, or the project has a
 *   database of its own, which holds the list.
 */
export const readGraphSchema = async (
  tx: Transaction,
  project: Pick<StoredRecord, "id">,
): Promise<GraphSchema | undefined> => {
  const [row] = await tx.run(namesText, { key: projectNamesKey(project.id) });
  const nodes = texts(row?.["nodes"]);
  if (nodes.length === 0) return undefined;
  const properties = new Set(texts(row?.["properties"]).flatMap((field) => propertyName(field) ?? []));
  return {
    nodeTypes: new Map(nodes.map((type) => [type, { properties }])),
    relationshipTypes: new Set(texts(row?.["relationships"])),
  };
};
