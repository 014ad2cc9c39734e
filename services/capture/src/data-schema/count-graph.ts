import type { DataSchema, DataSchemaValueType } from "@ikg/contracts";
import type { Database, Graph, Row, StatementOptions } from "@ikg/graph";
import { labelName, nodeField, type ProjectKey, relationshipPropertyName } from "@ikg/physical";
import { constituentsOf, partOf } from "../projects/constituent.ts";
import type { Project } from "../projects/projects.ts";
import { edgeFieldsText, edgesText, nodeFieldsText, nodeLabelsText, nodeTypesText } from "./statements.ts";

/** How many values there are of each type. */
type Tally = Map<DataSchemaValueType, number>;

interface Property {
  readonly values: Tally;
  readonly metadata: Map<string, Tally>;
}

interface NodeType {
  count: number;
  identities: number;
  readonly properties: Map<string, Property>;
  readonly labels: Map<string, number>;
}

interface Edge {
  readonly source: string;
  readonly relation: string;
  readonly target: string;
  count: number;
  readonly properties: Map<string, Tally>;
}

/** The counts so far, of one database after the other. */
interface Counts {
  /** When the first node was created; RFC 3339 in UTC. */
  created: string | undefined;
  readonly nodes: Map<string, NodeType>;
  readonly edges: Map<string, Edge>;
}

const getOrCreate = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
};

const add = <K>(map: Map<K, number>, key: K, count: number): void =>
  void map.set(key, (map.get(key) ?? 0) + count);

/** From the database's names, such as `LIST<STRING NOT NULL> NOT NULL`. */
const valueTypeOf = (name: string): DataSchemaValueType => {
  if (name.startsWith("LIST")) return "array";
  if (name.startsWith("INTEGER")) return "integer";
  if (name.startsWith("FLOAT")) return "float";
  return name.startsWith("BOOLEAN") ? "boolean" : "string";
};

const nodeTypeOf = ({ nodes }: Counts, row: Row): NodeType =>
  getOrCreate(nodes, String(row["type"]), () => ({
    count: 0,
    identities: 0,
    properties: new Map(),
    labels: new Map(),
  }));

const edgeOf = ({ edges }: Counts, row: Row): Edge => {
  const [source, relation, target] = [row["source"], row["relation"], row["target"]].map(String) as [
    string,
    string,
    string,
  ];
  return getOrCreate(edges, `${source} ${relation} ${target}`, () => ({
    source,
    relation,
    target,
    count: 0,
    properties: new Map(),
  }));
};

const countNodeField = (counts: Counts, row: Row): void => {
  const known = nodeField(String(row["field"]));
  if (known === undefined || known.kind === "system" || known.kind === "property_time") return;
  const { properties } = nodeTypeOf(counts, row);
  const property = getOrCreate(properties, known.property, () => ({
    values: new Map(),
    metadata: new Map(),
  }));
  const count = Number(row["count"]);
  const type = valueTypeOf(String(row["value"]));
  if (known.kind === "metadata")
    add(
      getOrCreate(property.metadata, known.key, () => new Map()),
      type,
      count,
    );
  else add(property.values, known.kind === "external_value" ? "external" : type, count);
};

const countIn = async (
  counts: Counts,
  database: Database,
  pk: ProjectKey,
  options: StatementOptions,
): Promise<void> => {
  const read = (text: string): Promise<Row[]> => database.read(text, {}, options);
  for (const row of await read(nodeTypesText(pk))) {
    const type = nodeTypeOf(counts, row);
    type.count += Number(row["count"]);
    type.identities += Number(row["identities"]);
    const created = String(row["created"]);
    if (counts.created === undefined || created < counts.created) counts.created = created;
  }
  for (const row of await read(nodeFieldsText(pk))) countNodeField(counts, row);
  for (const row of await read(nodeLabelsText(pk))) {
    const label = labelName(String(row["label"]), pk);
    if (label !== undefined && label !== row["type"])
      add(nodeTypeOf(counts, row).labels, label, Number(row["count"]));
  }
  for (const row of await read(edgesText(pk))) edgeOf(counts, row).count += Number(row["count"]);
  for (const row of await read(edgeFieldsText(pk))) {
    const name = relationshipPropertyName(String(row["field"]));
    if (name === undefined) continue;
    const tally = getOrCreate(edgeOf(counts, row).properties, name, () => new Map());
    add(tally, valueTypeOf(String(row["value"])), Number(row["count"]));
  }
};

const sorted = <V>(map: ReadonlyMap<string, V>): [string, V][] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

const tallyView = (tally: Tally) => ({
  count: [...tally.values()].reduce((sum, count) => sum + count, 0),
  types: [...tally].map(([type, count]) => ({ type, count })),
});

const record = <V, T>(map: ReadonlyMap<string, V>, view: (value: V) => T): Record<string, T> =>
  Object.fromEntries(sorted(map).map(([name, value]) => [name, view(value)]));

const labelsView = (map: ReadonlyMap<string, number>) =>
  sorted(map).map(([name, count]) => ({ name, count }));

const viewOf = (
  created: string,
  { nodes, edges }: Pick<Counts, "nodes" | "edges">,
  now: string,
): DataSchema => ({
  graph: {
    directed: true,
    metadata: { created_at: created, updated_at: now },
    nodes: record(nodes, ({ count, identities, properties, labels }) => ({
      metadata: {
        node_count: count,
        properties: record(properties, ({ values, metadata }) => ({
          ...tallyView(values),
          ...(metadata.size === 0 ? {} : { metadata: record(metadata, tallyView) }),
        })),
        system_labels: identities === 0 ? [] : [{ name: "Identity", count: identities }],
        user_defined_labels: labelsView(labels),
      },
    })),
    edges: sorted(edges).map(([, { source, relation, target, count, properties }]) => ({
      source,
      target,
      relation,
      directed: true as const,
      metadata: { count, properties: record(properties, tallyView) },
    })),
  },
});

/** Limit of each statement: they read every node or every relationship. */
const statementMs = 120_000;

/**
 * Counts what the graph of a project holds, in all of its databases.
 *
 * @returns undefined when nothing was captured yet.
 * @throws as `Database.read`.
 */
export const countGraph = async (
  graph: Graph,
  project: Project,
  now: Date,
  signal: AbortSignal,
): Promise<DataSchema | undefined> => {
  const counts: Counts = { created: undefined, nodes: new Map(), edges: new Map() };
  for (const constituent of constituentsOf(project)) {
    const database = graph.of(project, partOf(constituent), "background");
    await countIn(counts, database, project.pk, { timeoutMs: statementMs, signal });
  }
  const { created } = counts;
  return created === undefined ? undefined : viewOf(created, counts, now.toISOString());
};
