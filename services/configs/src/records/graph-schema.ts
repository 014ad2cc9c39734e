import type { Row, Transaction } from "@ikg/graph";
import { nodeField, projectNamesKey, projectNamesLabel } from "@ikg/physical";
import type { GraphSchema, UnreadSchema } from "@ikg/policy-core/warnings";
import { projectKeyOf } from "./project-key.ts";
import { openConnection, ownGraph } from "./connection.ts";
import type { StoredRecord } from "./record.ts";
import { type CallerContext, statementOptions, type Store } from "./store.ts";

/** The list of names of a project (docs/graph-names.md), once it has the names of everything that is there. */
const namesText = `MATCH (g:${projectNamesLabel} {key: $key}) WHERE g.count_time IS NOT NULL
RETURN g.property_names AS properties, g.relationship_types AS relationships, g.node_types AS nodes`;

/** The caller's name of a property, value or not, from its physical key; undefined for what is not a property. */
const propertyName = (field: string): string | undefined => {
  const known = nodeField(field);
  return known === undefined || known.kind === "system" ? undefined : known.property;
};

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []); // as it is written

/** How long the database of a project is waited for. The project is locked meanwhile, and the save does not depend on it. */
const ownTimeoutMs = 2_000;

/** @returns undefined where the database of the project does not answer. */
const readOwn = async (
  { graph, keys }: Pick<Store, "graph" | "keys">,
  { id, data }: StoredRecord,
  caller: CallerContext,
): Promise<readonly Row[] | undefined> => {
  const sealed = data["db_connection"];
  if (typeof sealed !== "string") return [];
  try {
    // Of a graph in several databases, the default one has the list.
    const database = graph.of(ownGraph(id, openConnection(keys, id, sealed)).graph, undefined, "background");
    const options = { ...statementOptions(caller), timeoutMs: ownTimeoutMs };
    return await database.read(namesText, { key: projectNamesKey(id) }, options);
  } catch {
    return undefined;
  }
};

/**
 * The names that the graph of a project has ever held, for warnings of names that it does not hold. Which type has a property is
 * not known, so each type counts as having all of them.
 *
 * @returns undefined where they are not known: nothing was captured yet, or the names are being counted; "unread" where the
 *   database that the project brings did not answer.
 */
export const readGraphSchema = async (
  tx: Transaction,
  project: StoredRecord,
  store: Pick<Store, "graph" | "keys">,
  caller: CallerContext,
): Promise<GraphSchema | UnreadSchema | undefined> => {
  const isShared = projectKeyOf(project) !== "";
  const rows = isShared
    ? await tx.run(namesText, { key: projectNamesKey(project.id) })
    : await readOwn(store, project, caller);
  if (rows === undefined) return "unread";
  const [row] = rows;
  const nodes = texts(row?.["nodes"]);
  if (nodes.length === 0) return undefined;
  const properties = new Set(texts(row?.["properties"]).flatMap((field) => propertyName(field) ?? []));
  return {
    nodeTypes: new Map(nodes.map((type) => [type, { properties }])),
    relationshipTypes: new Set(texts(row?.["relationships"])),
  };
};
