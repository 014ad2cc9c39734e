import { randomBytes } from "node:crypto";
import { connectGraph, type Graph } from "@ikg/graph";
import {
  keyField,
  newProjectKey,
  nodeKey,
  nodeLabel,
  projectLabel,
  type ProjectKey,
  propertyField,
  typeLabel,
} from "@ikg/physical";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { note } from "./neo4j-syntax/every-statement.ts";

/** The database of the tests. `noted` false: its statements are not for the vendor's checker, being made of many. */
export const openTestGraph = (noted = true): Graph =>
  connectGraph(neo4jOfTests(), {
    onStatement: ({ text, failed }) => {
      if (noted && !failed) note(text);
    },
  });

export const freshKey = (): ProjectKey => newProjectKey(randomBytes(8));

export const options = { timeoutMs: 80_000 };

/** A node as tests write it. */
export interface TestNode {
  readonly type: string;
  readonly id: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** `[source, type, target, properties]`, ends as `Type/id`. */
export type TestEdge = readonly [string, string, string, Readonly<Record<string, unknown>>?];

/** A node and a relationship as they are stored; the ends of a relationship by their keys. */
export interface NodeRow {
  readonly labels: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}
export interface EdgeRow {
  readonly type: string;
  readonly a: string;
  readonly b: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Writes rows in one transaction. The two texts are the same for every graph, so that the database plans them once. */
export const writeRows = (
  graph: Graph,
  nodes: readonly NodeRow[],
  edges: readonly EdgeRow[],
): Promise<void> =>
  graph.shared.write(async (tx) => {
    await tx.run("UNWIND $nodes AS row CREATE (n:$(row.labels)) SET n = row.fields", { nodes });
    await tx.run(
      "UNWIND $edges AS row MATCH (a:_Node {_key: row.a}) MATCH (b:_Node {_key: row.b}) CREATE (a)-[r:$(row.type)]->(b) SET r = row.fields",
      { edges },
    );
  }, options);

/** Writes a graph in the physical model. */
export const writeGraph = (
  graph: Graph,
  pk: ProjectKey,
  nodes: readonly TestNode[],
  edges: readonly TestEdge[],
): Promise<void> =>
  writeRows(
    graph,
    nodes.map(({ type, id, properties }) => ({
      labels: [nodeLabel, projectLabel(pk), typeLabel(type, pk)],
      fields: {
        ...Object.fromEntries(
          Object.entries(properties ?? {}).map(([name, value]) => [propertyField(name), value]),
        ),
        external_id: id,
        type,
        id: `${pk}-${type}-${id}`,
        [keyField]: nodeKey(pk, type, id),
      },
    })),
    edges.map(([source, type, target, properties]) => ({
      type,
      a: `${pk}/${source}`,
      b: `${pk}/${target}`,
      fields: properties ?? {},
    })),
  );

export const dropGraph = async (graph: Graph, pk: ProjectKey): Promise<void> => {
  await graph.shared.write((tx) => tx.run(`MATCH (n:${projectLabel(pk)}) DETACH DELETE n`, {}), options);
};
