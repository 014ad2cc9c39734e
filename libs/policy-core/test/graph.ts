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
  quoteName,
  typeLabel,
} from "@ikg/physical";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { note } from "./neo4j-syntax/every-statement.ts";

/** The database of the tests. `noted` false: its statements are not for the vendor's checker, being made of many. */
export const openTestGraph = (noted = true): Graph =>
  connectGraph(
    {
      uri: requireVariable("NEO4J_URI"),
      username: requireVariable("NEO4J_USERNAME"),
      password: requireVariable("NEO4J_PASSWORD"),
    },
    {
      onStatement: ({ text, failed }) => {
        if (noted && !failed) note(text);
      },
    },
  );

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

/** Writes a small graph in the physical model. */
export const writeGraph = async (
  graph: Graph,
  pk: ProjectKey,
  nodes: readonly TestNode[],
  edges: readonly TestEdge[],
): Promise<void> => {
  await graph.shared.write(async (tx) => {
    for (const { type, id, properties } of nodes) {
      const label = [nodeLabel, projectLabel(pk), typeLabel(type, pk)].map(quoteName).join(":");
      const stored = Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, value]) => [propertyField(name), value]),
      );
      const fields = {
        ...stored,
        external_id: id,
        type,
        id: `${pk}-${type}-${id}`,
        [keyField]: nodeKey(pk, type, id),
      };
      await tx.run(`CREATE (n:${label}) SET n = $fields`, { fields });
    }
    for (const [source, type, target, properties] of edges) {
      await tx.run(
        `MATCH (a:_Node {_key: $a}) MATCH (b:_Node {_key: $b}) CREATE (a)-[r:${quoteName(type)}]->(b) SET r = $properties`,
        { a: `${pk}/${source}`, b: `${pk}/${target}`, properties: properties ?? {} },
      );
    }
  }, options);
};

export const dropGraph = async (graph: Graph, pk: ProjectKey): Promise<void> => {
  await graph.shared.write((tx) => tx.run(`MATCH (n:${projectLabel(pk)}) DETACH DELETE n`, {}), options);
};
