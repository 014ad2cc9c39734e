/**
 * What the database of a suite stores in a form that the builds before 0.2.0 have as well: nodes and relationships of graphs, and
 * records of the configuration. What the product shows is in contents.ts; those builds do not show all of it.
 */
import type { OwnNeo4j } from "../settings.ts";
import { type Contents, loadType } from "./contents.ts";
import { askDatabase } from "./database.ts";

const texts = [
  "MATCH (n:_Node) WHERE n.type <> $loadType RETURN 'node ' + n._key AS name, labels(n) AS labels, properties(n) AS properties",
  "MATCH (r:_Record) RETURN 'record ' + r.id AS name, labels(r) AS labels, properties(r) AS properties",
  "MATCH (a:_Node)-[r]->(b:_Node) RETURN 'relationship ' + a._key + ' ' + type(r) + ' ' + b._key AS name, [] AS labels, properties(r) AS properties",
  "MATCH (a:_Record)-[r]->(b:_Record) RETURN 'relationship ' + a.id + ' ' + type(r) + ' ' + b.id AS name, [] AS labels, properties(r) AS properties",
];

/** Reads it, by names such as `node <key>`. A migration may add labels and properties to each. */
export const readStoredContents = async (database: OwnNeo4j): Promise<Contents> => {
  const contents = new Map<string, unknown>();
  for (const text of texts)
    for (const { name, labels, properties } of await askDatabase(database, text, { loadType }))
      contents.set(String(name), {
        // A list of names, as the statement returns it.
        labels: Object.fromEntries((labels as readonly string[]).map((label) => [label, true])),
        properties,
      });
  return contents;
};
