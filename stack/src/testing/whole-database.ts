/** Everything that a Neo4j database holds, to be compared with what it holds later. */

/** Runs one reading statement. */
export type Read = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const statements = [
  "MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties ORDER BY id",
  "MATCH (a)-[r]->(b) RETURN elementId(r) AS id, elementId(a) AS a, elementId(b) AS b, type(r) AS type, properties(r) AS properties ORDER BY id",
  "CALL db.labels() YIELD label RETURN label ORDER BY label",
  "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType ORDER BY relationshipType",
  "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey ORDER BY propertyKey",
  "SHOW INDEXES YIELD name RETURN name ORDER BY name",
  "SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name",
];

/**
 * Reads nodes, relationships, names and the schema.
 *
 * @returns a text for each node, relationship and name.
 */
export const wholeDatabase = async (read: Read): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const text of statements)
    for (const row of await read(text))
      all.push(JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)));
  return all;
};
