import { DiagnosticList, type Place, type Source, validate } from "@ikg/sources";
import { Files, type OpenedFile, shownPath } from "./files.ts";
import { type Config, readConfig, readResolvers } from "./read-config.ts";
import { nodeNames, readGraph, type WorldGraph } from "./read-graph.ts";
import { readPeople } from "./read-people.ts";
import { readTests } from "./read-tests.ts";
import { Graph, PolicyTests } from "./schema.ts";
import type { ReadWorld, World } from "./world.ts";

const join = (graphs: readonly WorldGraph[]): WorldGraph => ({
  nodes: graphs.flatMap(({ nodes }) => nodes),
  relationships: graphs.flatMap(({ relationships }) => relationships),
});

const graphOf = async (
  { source, folder }: OpenedFile,
  { graph }: PolicyTests,
  files: Files,
  faults: DiagnosticList,
): Promise<WorldGraph> => {
  if (graph === undefined) return join([]);
  if (typeof graph === "object" && !Array.isArray(graph)) return readGraph(source, ["graph"], graph, faults);
  const graphs: WorldGraph[] = [];
  for (const [index, path] of [graph].flat().entries()) {
    const place = source.placeOf(Array.isArray(graph) ? ["graph", index] : ["graph"]);
    for (const file of await files.openAll(folder, path, place)) {
      const read = validate(Graph, file.source, file.source.value, faults);
      if (read !== undefined) graphs.push(readGraph(file.source, [], read, faults));
    }
  }
  return join(graphs);
};

/** Checks that both ends of relationships are nodes of the graph. */
const checkEnds = ({ nodes, relationships }: WorldGraph, faults: DiagnosticList): void => {
  const key = (end: unknown): string => {
    const { type, external_id } = end as { type: string; external_id: string }; // validated
    return `${type} ${external_id}`;
  };
  const known = new Set(nodes.map(({ body }) => key(body)));
  for (const { body, place } of relationships)
    for (const end of ["source", "target"])
      if (body[end] !== undefined && !known.has(key(body[end])))
        faults.add(place, `${end}: no node ${key(body[end])} in the graph`);
};

const readValidated = async (
  opened: OpenedFile,
  tests: PolicyTests,
  files: Files,
  faults: DiagnosticList,
): Promise<Omit<World, "warnings"> & { readonly warnings: DiagnosticList }> => {
  const { source } = opened;
  const warnings = new DiagnosticList();
  const graph = await graphOf(opened, tests, files, faults);
  checkEnds(graph, faults);
  const config: Config = await readConfig(opened, tests, files, faults);
  const nodes = nodeNames(graph.nodes);
  const people = readPeople(source, tests.people ?? {}, nodes, config.policies, faults);
  return {
    file: source.file,
    name: tests.name,
    graph,
    policies: config.policies,
    queries: config.queries,
    resolvers: readResolvers(source, tests.resolvers ?? {}, config.resolvers, faults),
    people,
    now: tests.now === undefined ? undefined : Date.parse(tests.now),
    tests: readTests(source, tests.tests, { nodes, people, ...config }, faults, warnings),
    warnings,
  };
};

const validated = (source: Source, faults: DiagnosticList): PolicyTests | undefined =>
  validate(PolicyTests, source, source.value, faults);

/**
 * Reads a test file and all files that it refers to.
 *
 * @param file its absolute path.
 */
export const readWorld = async (file: string, cwd: string): Promise<ReadWorld> => {
  const faults = new DiagnosticList();
  const files = new Files(cwd, faults);
  const self: Place = { file: shownPath(cwd, file), line: 1, column: 1 };
  const opened = await files.open(file, self);
  const tests = opened && validated(opened.source, faults);
  const world = opened && tests && (await readValidated(opened, tests, files, faults));
  return {
    world: world && faults.isEmpty ? { ...world, warnings: world.warnings.list } : undefined,
    faults: faults.list,
    dependencies: files.dependencies,
  };
};
