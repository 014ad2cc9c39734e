import type { CatalogProject } from "@ikg/catalog";
import type { SimulationInputs } from "@ikg/contracts";
import type { Database, Graph, StatementOptions } from "@ikg/graph";
import { keyField, nodeLabel } from "@ikg/physical";
import { databaseTargetOf } from "../decisions/database-target.ts";
import type { AffectedQuestion } from "./questions.ts";

/** A part of a project's graph whose nodes a question may be about. */
export interface GraphSource {
  readonly database: Database;
  /** Name of the graph, where the database reaches several. */
  readonly graph: string | undefined;
}

/** Places the start of a statement in its graph; parameters are those of `sourceParameters`. */
export const inSource = ({ graph }: GraphSource, text: string): string =>
  graph === undefined ? text : `USE graph.byName($graph) ${text}`;

export const sourceParameters = ({ graph }: GraphSource): { readonly graph?: string } =>
  graph === undefined ? {} : { graph };

/**
 * Where the nodes of a question are: the default database of the project, and every location that one of its policies is
 * evaluated at.
 */
export const sourcesOf = (
  graph: Graph,
  project: CatalogProject,
  { before, after }: AffectedQuestion,
  { input_params }: SimulationInputs,
): readonly GraphSource[] => {
  const inputs = input_params ?? {};
  const constituents = new Set<string>();
  const graphs = new Set<string>();
  for (const { policy } of new Set([...before, ...after])) {
    const { databaseTarget } = databaseTargetOf(policy.targets, inputs, project.composite);
    if (databaseTarget === undefined) continue;
    if (databaseTarget.databasePart !== "composite")
      constituents.add(databaseTarget.databasePart.constituent);
    else
      for (const target of policy.targets) {
        const name = target?.kind === "parameter" ? databaseTarget.graphs[target.name] : target?.name;
        if (name !== undefined) graphs.add(name);
      }
  }
  const database = (part?: Parameters<Graph["of"]>[1]) => graph.of(project, part, "background");
  return [
    { database: database(), graph: undefined },
    ...[...constituents].map((constituent) => ({ database: database({ constituent }), graph: undefined })),
    ...[...graphs].map((name) => ({ database: database("composite"), graph: name })),
  ];
};

const knownText = `MATCH (n:${nodeLabel}) WHERE n.${keyField} IN $keys RETURN collect(n.${keyField}) AS keys`;

/** The keys of nodes that none of these sources has: a node may be in several parts of a graph. */
export const unknownTo = async (
  sources: readonly GraphSource[],
  keys: readonly string[],
  options: () => StatementOptions,
): Promise<readonly string[]> => {
  let left = keys;
  for (const source of sources) {
    if (left.length === 0) break;
    const parameters = { keys: left, ...sourceParameters(source) };
    const [row] = await source.database.read(inSource(source, knownText), parameters, options());
    const known = new Set((row?.["keys"] ?? []) as readonly string[]); // collected above
    left = left.filter((key) => !known.has(key));
  }
  return left;
};
