import type { ClauseSpec, GraphSpec, InputsSpec, NodeElement, PathStep } from "../model.ts";
import { readRows, TooBig } from "../outcome.ts";
import type { ProjectionSpec, QuerySpec } from "../policy.ts";
import { worldOf } from "../world.ts";
import { withoutParallels } from "../write-outcome.ts";
import {
  type DeleteSpec,
  deleteText,
  type EdgeUpsertSpec,
  type GivenSpec,
  type ListsSpec,
  type NodeUpsertSpec,
  type PropertySet,
  type Triple,
  type WriteSpec,
} from "../write-spec.ts";
import { queryGroup } from "./cases.ts";
import type { Draw } from "./draw.ts";
import { edgeTypes, texts } from "./graphs.ts";

/** A writing query over a graph, with the inputs of one call. */
export interface WriteCase {
  readonly graph: GraphSpec;
  readonly inputs: InputsSpec;
  readonly spec: WriteSpec;
}

/** No name of the platform, which queries cannot write. */
const writable = ["n", "m", "s", "t", "x", "value", "metadata", "fresh"] as const;
/** Only ever written as the name of a resolver. */
const resolved = "outside";
const edgeProperties = ["since", "note", "seen"] as const;
const newTypes = ["Note", "Chart", "Ward"] as const;

const elementsOf = (clause: ClauseSpec): readonly NodeElement[] =>
  clause.kind === "match"
    ? clause.paths.flatMap(({ start, hops }) => [start, ...hops.map(({ node }) => node)])
    : [];

/** The label that the text gives an alias; undefined when it gives none, or does not bind it in a pattern of its own. */
const labelOf = (alias: string, { clauses, subjectType }: QuerySpec): string | undefined => {
  if (alias === "subject") return subjectType;
  const named = (of: readonly ClauseSpec[]): readonly NodeElement[] =>
    of.flatMap(elementsOf).filter(({ variable }) => variable === alias);
  const [binder] = named(clauses);
  // A label that an OPTIONAL MATCH gives to what is bound already is none of every such node.
  const certain = named(clauses.filter((clause) => clause.kind === "match" && !clause.optional));
  return [...(binder === undefined ? [] : [binder]), ...certain].flatMap(({ label }) =>
    label?.kind === "is" ? [label.name] : [],
  )[0];
};

const isBound = (alias: string, { clauses }: QuerySpec): boolean =>
  clauses.flatMap(elementsOf).some(({ variable }) => variable === alias);

const given = (draw: Draw): GivenSpec =>
  draw.among<GivenSpec>([
    [4, () => ({ is: "literal", value: draw.pick([1n, 2.5, true, false, ...texts, ["a", "b"], [1n, 2n]]) })],
    [
      4,
      () => ({ is: "parameter", name: draw.pick(["i", "j", "s", "flag", "ids", "nums", "mixed", "count"]) }),
    ],
    [1, () => ({ is: "claim", name: "sub" })],
  ]);

const described = (draw: Draw): PropertySet["metadata"] =>
  draw.some(["source", "assurance_level", "verified_time", "custom"], 0.2).map((key) => {
    const value: GivenSpec =
      key === "source"
        ? { is: "parameter", name: "s" }
        : key === "assurance_level"
          ? { is: "literal", value: BigInt(draw.int(1, 3)) }
          : key === "verified_time"
            ? { is: "literal", value: "2026-03-01T00:00:00.000Z" }
            : given(draw);
    return { key, value };
  });

const propertySets = (draw: Draw, least: number): readonly PropertySet[] => {
  const names = draw.some(writable, 0.3);
  const chosen = names.length < least ? [draw.pick(writable)] : names;
  return [
    ...chosen.map((name) => ({ name, value: given(draw), metadata: described(draw) })),
    ...(draw.chance(0.1) ? [{ name: resolved, external: "a resolver", metadata: described(draw) }] : []),
  ];
};

const edgeSets = (draw: Draw, least: number): readonly PropertySet[] => {
  const names = draw.some(edgeProperties, 0.4);
  const chosen = names.length < least ? [draw.pick(edgeProperties)] : names;
  return chosen.map((name) => ({ name, value: given(draw), metadata: [] }));
};

const nodeDelete = (draw: Draw, alias: string): DeleteSpec => ({
  alias,
  what: draw.among<DeleteSpec["what"]>([
    [2, () => "element"],
    [2, () => "all"],
    [4, () => ({ property: draw.pick(writable) })],
    [2, () => ({ property: draw.pick(["n", "s"]), key: draw.pick(["source", "assurance_level"]) })],
  ]),
});

const edgeDelete = (draw: Draw, alias: string): DeleteSpec => ({
  alias,
  what: draw.among<DeleteSpec["what"]>([
    [3, () => "element"],
    [2, () => "all"],
    [4, () => ({ property: draw.pick(edgeProperties) })],
  ]),
});

const unique = (names: readonly string[]): string[] => [...new Set(names)];

const drawSpec = (draw: Draw, drawn: QuerySpec, graph: GraphSpec): WriteSpec => {
  // Times of what is written are the service's own, and no scorer has run.
  const isTold = (each: ProjectionSpec): boolean =>
    each.kind === "node"
      ? each.step.to !== "trust" && !(each.step.to === "system" && /_time$|^id$/.test(each.step.name))
      : each.kind === "value" || !each.name.endsWith("_time");
  const base: QuerySpec = { ...drawn, wide: true, projections: drawn.projections.filter(isTold) };
  const named = (kind: ProjectionSpec["kind"]): string[] =>
    unique(drawn.projections.filter((each) => each.kind === kind).map(({ alias }) => alias));
  const aliases = named("node").filter((alias) => isBound(alias, drawn));
  const edgeAliases = named("edge");
  // What is upserted is not deleted under the same name.
  const [setAliases, deletedAliases] = [[] as string[], [] as string[]];
  for (const alias of aliases) (draw.chance(0.6) ? setAliases : deletedAliases).push(alias);
  const [setEdges, deletedEdges] = [[] as string[], [] as string[]];
  for (const alias of edgeAliases) (draw.chance(0.5) ? setEdges : deletedEdges).push(alias);

  const made = draw.chance(0.5)
    ? [
        {
          kind: "new" as const,
          name: "made",
          type: draw.pick(newTypes),
          externalId: draw.pick<GivenSpec>([
            { is: "parameter", name: "id" },
            { is: "literal", value: "fresh one" },
            { is: "literal", value: draw.pick(graph.nodes).id },
          ]),
          labels: draw.some(["Extra", "Identity", "Other"], 0.25),
          properties: propertySets(draw, 0),
        },
      ]
    : [];
  const upsertNodes: NodeUpsertSpec[] = [
    ...draw
      .some(setAliases, 0.7)
      .map((name) => ({ kind: "existing" as const, name, properties: propertySets(draw, 1) })),
    ...made,
  ];
  const ends = [
    ...aliases.flatMap((alias) => {
      const label = labelOf(alias, drawn);
      return label === undefined ? [] : [[alias, label] as const];
    }),
    ...made.map(({ name, type }) => [name, type] as const),
  ];
  const triples: Triple[] = [];
  const upsertEdges: EdgeUpsertSpec[] = [
    ...draw
      .some(setEdges, 0.7)
      .map((name) => ({ kind: "existing" as const, name, properties: edgeSets(draw, 1) })),
    ...(ends.length > 0
      ? draw.list(0, 2, () => {
          const [[source, from], [target, to]] = [draw.pick(ends), draw.pick(ends)];
          const type = draw.pick([...edgeTypes, "MADE"]);
          triples.push([type, from, to]);
          return {
            kind: "new" as const,
            name: draw.fresh("tie"),
            type,
            source,
            target,
            properties: edgeSets(draw, 0),
          };
        })
      : []),
  ];
  const deleteNodes = draw.some(deletedAliases, 0.7).map((alias) => nodeDelete(draw, alias));
  const deleteEdges = draw.some(deletedEdges, 0.7).map((alias) => edgeDelete(draw, alias));
  const nothing = [upsertNodes, upsertEdges, deleteNodes, deleteEdges].every(({ length }) => length === 0);
  const least: NodeUpsertSpec = { kind: "existing", name: "subject", properties: propertySets(draw, 1) };
  const upserts = nothing ? [least] : upsertNodes;

  const lists: ListsSpec = {
    existingNodes: unique([
      ...upserts.flatMap(({ kind, name }) => (kind === "existing" ? [name] : [])),
      ...draw.some(aliases, 0.2),
    ]),
    nodeTypes: unique([...made.map(({ type }) => type), ...draw.some(newTypes, 0.2)]),
    existingEdges: unique([
      ...upsertEdges.flatMap(({ kind, name }) => (kind === "existing" ? [name] : [])),
      ...draw.some(edgeAliases, 0.2),
    ]),
    triples: [...triples, ...draw.some<Triple>([["KNOWS", "Nurse", "Nurse"]], 0.2)],
    deleteNodes: unique([
      ...deleteNodes.map((each) => deleteText(each, "node")),
      ...draw.some(aliases, 0.15).map((alias) => deleteText(nodeDelete(draw, alias), "node")),
    ]),
    deleteEdges: unique([
      ...deleteEdges.map((each) => deleteText(each, "edge")),
      ...draw.some(edgeAliases, 0.15).map((alias) => deleteText(edgeDelete(draw, alias), "edge")),
    ]),
  };
  const step: PathStep = { to: "system", name: "external_id" };
  const shown: ProjectionSpec[] = [
    ...made.flatMap(({ name }): ProjectionSpec[] =>
      draw.chance(0.5) ? [{ kind: "node", alias: name, step }] : [],
    ),
    ...upsertEdges.flatMap(({ kind, name }): ProjectionSpec[] =>
      kind === "new" && draw.chance(0.5)
        ? [{ kind: "edge", alias: name, name: draw.pick(["type", ...edgeProperties]) }]
        : [],
    ),
  ];
  return { base, lists, upsertNodes: upserts, upsertEdges, deleteNodes, deleteEdges, shown };
};

/** What a capture could have written and no scorer has seen: values only, one relationship of each type between two. */
const captured = ({ nodes, edges }: GraphSpec): GraphSpec =>
  withoutParallels({
    nodes: nodes.map(({ trust: _trust, ...node }) => ({
      ...node,
      properties: Object.fromEntries(
        Object.entries(node.properties).filter(([, { external }]) => external === undefined),
      ),
    })),
    edges,
  });

/** Rows of a query at most: more of them tell no more. */
const mostRows = 200;

/** Queries of persons over one graph, of which one writes. */
export const writeCase = (draw: Draw): WriteCase => {
  for (;;) {
    const group = queryGroup(draw);
    const graph = captured(group.graph);
    const world = worldOf(graph);
    const [inputs] = group.inputs;
    if (inputs === undefined) throw new Error("a group without inputs");
    const fit = group.queries.filter((query) => {
      if (query.subjectType.startsWith("_")) return false;
      try {
        const count = readRows(query, world, inputs).length;
        return count > 0 ? count <= mostRows : draw.chance(0.1);
      } catch (error) {
        if (error instanceof TooBig) return false;
        throw error;
      }
    });
    if (fit.length > 0) return { graph, inputs, spec: drawSpec(draw, draw.pick(fit), graph) };
  }
};
