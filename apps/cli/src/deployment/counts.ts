import type { DataSchema, IkgAdmin } from "@ikg/client";

/** Numbers of records, nodes and relationships of a project. */
export interface Counts {
  readonly policies: number;
  readonly queries: number;
  readonly agents: number;
  readonly nodes?: number | undefined;
  readonly relationships?: number | undefined;
}

/** Counts of the graph without nodes of the suite; undefined for a role that cannot read them. */
const graphCounts = (schema: DataSchema | undefined): Pick<Counts, "nodes" | "relationships"> => {
  if (schema === undefined) return {};
  const { nodes, edges } = schema.graph;
  const own = Object.entries(nodes).filter(([type]) => !type.startsWith("_"));
  return {
    nodes: own.reduce((sum, [, { metadata }]) => sum + metadata.node_count, 0),
    relationships: edges
      .filter(({ relation }) => !relation.startsWith("_"))
      .reduce((sum, { metadata }) => sum + metadata.count, 0),
  };
};

export const countsOf = async (admin: IkgAdmin, schema: DataSchema | undefined): Promise<Counts> => {
  const [policies, queries, agents] = await Promise.all([
    admin.policies.list({ texts: false }),
    admin.queries.list({ texts: false }),
    admin.agents.list(),
  ]);
  return {
    policies: policies.length,
    queries: queries.length,
    agents: agents.length,
    ...graphCounts(schema),
  };
};
