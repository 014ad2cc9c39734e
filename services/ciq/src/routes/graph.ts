import { activeSnapshotFor, type Catalog } from "@ikg/catalog";
import { type Gid, GraphNodeQuery, GraphNodesQuery, NeighboursQuery, omitUndefined } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { ElementIds } from "@ikg/query-rows";
import {
  type AuditNote,
  JsonText,
  type ProjectSlots,
  type RequestInput,
  type Route,
  route,
  type SharedBudget,
} from "@ikg/service";
import { NeighboursCursor, NodesCursor, openCursors, type SealingKeys } from "../graph/cursors.ts";
import { listNeighbours } from "../graph/list-neighbours.ts";
import { listNodes } from "../graph/list-nodes.ts";
import {
  withinPageBytes,
  type GraphReadContext,
  graphReadError,
  type NodeName,
} from "../graph/read-context.ts";
import { readNode } from "../graph/read-node.ts";
import { openExecutionMemory } from "../memory/execution-memory.ts";

export interface GraphParts {
  readonly graph: Graph;
  readonly catalog: Pick<Catalog, "snapshot">;
  /** Memory of large answers, shared with executions. */
  readonly memory: SharedBudget;
  readonly idsOf: (project: Gid) => ElementIds;
  readonly slots: ProjectSlots;
  readonly sealing: SealingKeys;
  /** Limit of one read in milliseconds. */
  readonly timeoutMs: number;
}

type Input<Q> = RequestInput<undefined, "administrator", Q>;
type NoteData = AuditNote<"audit.graph.read">["data"];

/** The response of one read, and how many nodes it has. */
interface ReadResult {
  readonly count: number;
  readonly answer: unknown;
}

/** Reads from the graph of the project that the request names, and audits the read, also where nothing was found. */
const readGraph = async <Q extends { readonly project_id: Gid }>(
  { graph, catalog, memory, idsOf, slots, timeoutMs }: GraphParts,
  { caller, reach, query, requestId, signal, note }: Input<Q>,
  data: Omit<NoteData, "count">,
  read: (context: GraphReadContext) => Promise<ReadResult>,
): Promise<unknown> => {
  const deadline = performance.now() + timeoutMs;
  const { project } = await activeSnapshotFor(catalog, query.project_id, caller, reach);
  const release = slots.take(project);
  const held = openExecutionMemory(memory, project);
  const shown = { pk: project.pk, ids: idsOf(project.id) };
  let count = 0;
  try {
    const result = await read({ graph, project, shown, memory: held, requestId, signal, deadline });
    count = result.count;
    return result.answer;
  } catch (error) {
    held.release();
    throw graphReadError(error, data.read, project.limits.page_bytes);
  } finally {
    release();
    note(() => ({ type: "audit.graph.read", chain: project.id, data: omitUndefined({ ...data, count }) }));
  }
};

/** The node of a path. */
const nameOf = (
  params: Readonly<Record<string, string>>,
  { external_id }: { readonly external_id?: string | undefined },
): NodeName => ({
  type: params["type"] ?? "",
  externalId: external_id ?? params["external_id"] ?? "",
});

const nodesRoute = (parts: GraphParts): Route => {
  const cursors = openCursors(parts.sealing, "cursors of nodes", NodesCursor);
  return route({
    operation: "list_nodes",
    method: "get",
    path: "/graph/v1/nodes",
    caller: "administrator",
    queryParameters: GraphNodesQuery,
    handle: (input) => {
      const { type, prefix } = input.query;
      return readGraph(
        parts,
        input,
        omitUndefined({ read: "nodes" as const, type, prefix }),
        async (context) => {
          const answer = await listNodes(context, input.query, cursors);
          context.memory.release();
          return { count: answer.items.length, answer };
        },
      );
    },
  });
};

const nodeRoute = (parts: GraphParts): Route =>
  route({
    operation: "read_node",
    method: "get",
    path: "/graph/v1/nodes/:type/:external_id",
    caller: "administrator",
    queryParameters: GraphNodeQuery,
    handle: (input) => {
      const name = nameOf(input.params, input.query);
      const { type, externalId: external_id } = name;
      return readGraph(parts, input, { read: "node", type, external_id }, async (context) => {
        const text = withinPageBytes(context, JSON.stringify(await readNode(context, name)));
        return { count: 1, answer: new JsonText([text], () => context.memory.release()) };
      });
    },
  });

const neighboursRoute = (parts: GraphParts): Route => {
  const cursors = openCursors(parts.sealing, "cursors of neighbours, version 2", NeighboursCursor);
  return route({
    operation: "list_neighbours",
    method: "get",
    path: "/graph/v1/nodes/:type/:external_id/neighbours",
    caller: "administrator",
    queryParameters: NeighboursQuery,
    handle: (input) => {
      const name = nameOf(input.params, input.query);
      const { type, externalId: external_id } = name;
      const { types, direction } = input.query;
      const about = { read: "neighbours" as const, type, external_id, relationship_types: types, direction };
      return readGraph(parts, input, omitUndefined(about), async (context) => {
        const { count, pieces } = await listNeighbours(context, name, input.query, cursors);
        return { count, answer: new JsonText(pieces, () => context.memory.release()) };
      });
    },
  });
};

/** GET /graph/v1/nodes and what is below: the graph of a project, for administrators whose role may see data. */
export const graphRoutes = (parts: GraphParts): readonly Route[] => [
  nodesRoute(parts),
  nodeRoute(parts),
  neighboursRoute(parts),
];
