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

/** Names that are upserted, and the others, which may be deleted. */
const divided = (
  draw: Draw,
  names: readonly string[],
  share: number,
): { readonly upserted: readonly string[]; readonly deleted: readonly string[] } => {
  const [upserted, deleted] = [[] as string[], [] as string[]];
  for (const name of names) (draw.chance(share) ? upserted : deleted).push(name);
  return { upserted, deleted };
};

type NewNode = Extract<NodeUpsertSpec, { kind: "new" }>;

const newNodes = (draw: Draw, graph: GraphSpec): readonly NewNode[] =>
  draw.chance(0.5)
    ? [
        {
          kind: "new",
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

/** A name that a new relationship may begin or end at, with the label of its node. */
type End = readonly [name: string, label: string];

const endsOf = (aliases: readonly string[], made: readonly NewNode[], drawn: QuerySpec): readonly End[] => [
  ...aliases.flatMap((alias): End[] => {
    const label = labelOf(alias, drawn);
    return label === undefined ? [] : [[alias, label]];
  }),
  ...made.map(({ name, type }): End => [name, type]),
];

/** New relationships, with the triples that allow them. */
const newEdges = (
  draw: Draw,
  ends: readonly End[],
): readonly { readonly entry: EdgeUpsertSpec; readonly triple: Triple }[] =>
  ends.length === 0
    ? []
    : draw.list(0, 2, () => {
        const [[source, from], [target, to]] = [draw.pick(ends), draw.pick(ends)];
        const type = draw.pick([...edgeTypes, "MADE"]);
        const name = draw.fresh("tie");
        return {
          entry: { kind: "new", name, type, source, target, properties: edgeSets(draw, 0) },
          triple: [type, from, to],
        };
      });

type Changes = Pick<WriteSpec, "upsertNodes" | "upsertEdges" | "deleteNodes" | "deleteEdges">;

const existingNames = (entries: Changes["upsertNodes"] | Changes["upsertEdges"]): readonly string[] =>
  entries.flatMap(({ kind, name }) => (kind === "existing" ? [name] : []));

/** Lists that allow what is changed, and perhaps more. */
const drawLists = (
  draw: Draw,
  { upsertNodes, upsertEdges, deleteNodes, deleteEdges }: Changes,
  triples: readonly Triple[],
  aliases: { readonly nodes: readonly string[]; readonly edges: readonly string[] },
): ListsSpec => ({
  existingNodes: unique([...existingNames(upsertNodes), ...draw.some(aliases.nodes, 0.2)]),
  nodeTypes: unique([
    ...upsertNodes.flatMap((entry) => (entry.kind === "new" ? [entry.type] : [])),
    ...draw.some(newTypes, 0.2),
  ]),
  existingEdges: unique([...existingNames(upsertEdges), ...draw.some(aliases.edges, 0.2)]),
  triples: [...triples, ...draw.some<Triple>([["KNOWS", "Nurse", "Nurse"]], 0.2)],
  deleteNodes: unique([
    ...deleteNodes.map((each) => deleteText(each, "node")),
    ...draw.some(aliases.nodes, 0.15).map((alias) => deleteText(nodeDelete(draw, alias), "node")),
  ]),
  deleteEdges: unique([
    ...deleteEdges.map((each) => deleteText(each, "edge")),
    ...draw.some(aliases.edges, 0.15).map((alias) => deleteText(edgeDelete(draw, alias), "edge")),
  ]),
});

/** Projections of what is made. */
const drawShown = (draw: Draw, { upsertNodes, upsertEdges }: Changes): readonly ProjectionSpec[] => {
  const step: PathStep = { to: "system", name: "external_id" };
  return [
    ...upsertNodes.flatMap(({ kind, name }): ProjectionSpec[] =>
      kind === "new" && draw.chance(0.5) ? [{ kind: "node", alias: name, step }] : [],
    ),
    ...upsertEdges.flatMap(({ kind, name }): ProjectionSpec[] =>
      kind === "new" && draw.chance(0.5)
        ? [{ kind: "edge", alias: name, name: draw.pick(["type", ...edgeProperties]) }]
        : [],
    ),
  ];
};

/** Whether the oracle knows a projected value: times of writes are the service's own, and no scorer has run. */
const isPredictable = (each: ProjectionSpec): boolean =>
  each.kind === "node"
    ? each.step.to !== "trust" && !(each.step.to === "system" && /_time$|^id$/.test(each.step.name))
    : each.kind === "value" || !each.name.endsWith("_time");

const drawSpec = (draw: Draw, drawn: QuerySpec, graph: GraphSpec): WriteSpec => {
  const named = (kind: ProjectionSpec["kind"]): string[] =>
    unique(drawn.projections.filter((each) => each.kind === kind).map(({ alias }) => alias));
  const aliases = {
    nodes: named("node").filter((alias) => isBound(alias, drawn)),
    edges: named("edge"),
  };
  const nodes = divided(draw, aliases.nodes, 0.6);
  const edges = divided(draw, aliases.edges, 0.5);
  const made = newNodes(draw, graph);
  const upsertNodes: NodeUpsertSpec[] = [
    ...draw
      .some(nodes.upserted, 0.7)
      .map((name) => ({ kind: "existing" as const, name, properties: propertySets(draw, 1) })),
    ...made,
  ];
  const oldEdges = draw
    .some(edges.upserted, 0.7)
    .map((name) => ({ kind: "existing" as const, name, properties: edgeSets(draw, 1) }));
  const tied = newEdges(draw, endsOf(aliases.nodes, made, drawn));
  const upsertEdges = [...oldEdges, ...tied.map(({ entry }) => entry)];
  const deleteNodes = draw.some(nodes.deleted, 0.7).map((alias) => nodeDelete(draw, alias));
  const deleteEdges = draw.some(edges.deleted, 0.7).map((alias) => edgeDelete(draw, alias));
  const nothing = [upsertNodes, upsertEdges, deleteNodes, deleteEdges].every(({ length }) => length === 0);
  const least: NodeUpsertSpec = { kind: "existing", name: "subject", properties: propertySets(draw, 1) };
  const changes = { upsertNodes: nothing ? [least] : upsertNodes, upsertEdges, deleteNodes, deleteEdges };
  return {
    base: { ...drawn, wide: true, projections: drawn.projections.filter(isPredictable) },
    lists: drawLists(
      draw,
      changes,
      tied.map(({ triple }) => triple),
      aliases,
    ),
    ...changes,
    shown: drawShown(draw, changes),
  };
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
const maxRows = 200;

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
        return count > 0 ? count <= maxRows : draw.chance(0.1);
      } catch (error) {
        if (error instanceof TooBig) return false;
        throw error;
      }
    });
    if (fit.length > 0) return { graph, inputs, spec: drawSpec(draw, draw.pick(fit), graph) };
  }
};
