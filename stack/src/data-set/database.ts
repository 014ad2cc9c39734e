/** What a Neo4j database holds, as lines that make the same in another one. */
import { schemaVersions } from "@ikg/graph";
import neo4j, { type Driver } from "neo4j-driver";
import type { OwnNeo4j } from "../settings.ts";
import { fromJson, toJson } from "./value.ts";

/** The schema version to which this build migrates data. */
export const newestSchemaVersion: number = schemaVersions.newest;

/** One line; `id` is the database's own, and counts among these lines alone. */
export type StoredLine =
  | { readonly schema: string }
  | {
      readonly node: {
        readonly id: string;
        readonly labels: readonly string[];
        readonly properties: unknown;
      };
    }
  | {
      readonly relationship: {
        readonly from: string;
        readonly to: string;
        readonly type: string;
        readonly properties: unknown;
      };
    };

const schemaTexts = [
  "SHOW CONSTRAINTS YIELD name, createStatement RETURN name, createStatement AS text ORDER BY name",
  // What belongs to a constraint comes with it.
  "SHOW INDEXES YIELD name, type, owningConstraint, createStatement WHERE owningConstraint IS NULL AND type <> 'LOOKUP' RETURN name, createStatement AS text ORDER BY name",
];
const nodesText =
  "MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties ORDER BY id";
const relationshipsText =
  "MATCH (a)-[r]->(b) RETURN elementId(a) AS from, elementId(b) AS to, type(r) AS type, properties(r) AS properties ORDER BY elementId(r)";

/** Calls `work` with a function that runs one statement. */
const withDriver = async <T>(
  { uri, username, password }: OwnNeo4j,
  work: (run: (text: string, params?: object) => Promise<Record<string, unknown>[]>) => Promise<T>,
): Promise<T> => {
  const driver: Driver = neo4j.driver(uri, neo4j.auth.basic(username, password));
  try {
    return await work(async (text, params = {}) => {
      const { records } = await driver.executeQuery(text, params, { database: "neo4j" });
      return records.map((record) => record.toObject() as Record<string, unknown>);
    });
  } finally {
    await driver.close();
  }
};

/** Reads a database that no process writes to. */
export const dumpDatabase = (neo4jOf: OwnNeo4j): Promise<readonly StoredLine[]> =>
  withDriver(neo4jOf, async (run) => {
    const lines: StoredLine[] = [];
    for (const text of schemaTexts)
      for (const row of await run(text)) lines.push({ schema: String(row["text"]) });
    for (const row of await run(nodesText))
      lines.push({
        node: { ...(row as { id: string; labels: string[] }), properties: toJson(row["properties"]) },
      });
    for (const row of await run(relationshipsText))
      lines.push({
        relationship: {
          ...(row as { from: string; to: string; type: string }),
          properties: toJson(row["properties"]),
        },
      });
    return lines;
  });

const batch = 1_000;

const chunks = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / batch) }, (_, at) => all.slice(at * batch, (at + 1) * batch));

/** Writes lines into an empty database. */
export const loadDatabase = (neo4jOf: OwnNeo4j, lines: readonly StoredLine[]): Promise<void> =>
  withDriver(neo4jOf, async (run) => {
    for (const line of lines) if ("schema" in line) await run(line.schema);
    await run("CALL db.awaitIndexes(300)");
    const ids = new Map<string, unknown>();
    for (const rows of chunks(lines.flatMap((line) => ("node" in line ? [line.node] : [])))) {
      const made = await run(
        "UNWIND $rows AS row CREATE (n:$(row.labels)) SET n = row.properties RETURN row.id AS former, elementId(n) AS id",
        { rows: rows.map((row) => ({ ...row, properties: fromJson(row.properties) })) },
      );
      for (const { former, id } of made) ids.set(String(former), id);
    }
    for (const rows of chunks(lines.flatMap((line) => ("relationship" in line ? [line.relationship] : []))))
      await run(
        "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.from MATCH (b) WHERE elementId(b) = row.to CREATE (a)-[r:$(row.type)]->(b) SET r = row.properties",
        {
          rows: rows.map(({ from, to, type, properties }) => ({
            from: ids.get(from),
            to: ids.get(to),
            type,
            properties: fromJson(properties),
          })),
        },
      );
  });

/** Runs one statement. @returns its rows, with numbers as JavaScript has them */
export const askDatabase = async (
  { uri, username, password }: OwnNeo4j,
  text: string,
  params: object = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const driver = neo4j.driver(uri, neo4j.auth.basic(username, password), { disableLosslessIntegers: true });
  try {
    const { records } = await driver.executeQuery(text, params, { database: "neo4j" });
    return records.map((record) => record.toObject());
  } finally {
    await driver.close();
  }
};
