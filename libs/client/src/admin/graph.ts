import type { DataSchema, Neighbour, NodeRef, NodeSummary, WholeNode } from "../contract/wire.ts";
import type { Pages } from "../pages.ts";
import type { QueryValues } from "../transport/request.ts";
import type { Transport } from "../transport/transport.ts";
import { callAdmin } from "./admin-transport.ts";
import type { ScopeOptions } from "./collection.ts";
import { cursorPages, type CursorOptions, type CursorPage } from "./cursor-pages.ts";
import type { Scope } from "./scope.ts";

export interface NodesOptions extends CursorOptions, ScopeOptions {
  /** Only nodes of this type. */
  readonly type?: string | undefined;
  /** Only nodes whose external id begins with it; needs `type`. */
  readonly prefix?: string | undefined;
}

export interface NeighboursOptions extends CursorOptions, ScopeOptions {
  /** Only relationships of these types. */
  readonly types?: readonly string[] | undefined;
  /** Only relationships that leave the node (`out`) or end there (`in`); `both` by default. */
  readonly direction?: "out" | "in" | "both" | undefined;
}

const nodesPath = "/graph/v1/nodes";

type Named = Pick<NodeRef, "type" | "external_id">;

/** URLs cannot have `.` and `..` as segments: such an id stands in the query, and any segment in its place. */
const addressOf = ({ type, external_id: id }: Named): { path: string; query: QueryValues } => {
  const isRemoved = id === "." || id === "..";
  return {
    path: `${nodesPath}/${encodeURIComponent(type)}/${isRemoved ? "_" : encodeURIComponent(id)}`,
    query: isRemoved ? { external_id: id } : {},
  };
};

/** The graph of a project, for the roles `owner` and `data_viewer`. The suite keeps an audit record of each call. */
export class Graph {
  readonly #transport: Transport;
  readonly #scope: Scope;

  constructor(transport: Transport, scope: Scope) {
    this.#transport = transport;
    this.#scope = scope;
  }

  #list<Item>(path: string, options: CursorOptions & ScopeOptions, filters: QueryValues) {
    const query = async () => ({ ...filters, project_id: await this.#scope.projectId(options) });
    return cursorPages<Item>(this.#transport, () => Promise.resolve(path), query, options, "limit");
  }

  /** Nodes in the order of their types and external ids. */
  nodes({ type, prefix, ...options }: NodesOptions = {}): Pages<NodeSummary, CursorPage<NodeSummary>> {
    return this.#list(nodesPath, options, { type, prefix });
  }

  /** A node with its properties, their metadata, and its trust score. @throws IkgError 404 for a node that is not there */
  async node(node: Named, options: ScopeOptions = {}): Promise<WholeNode> {
    const { signal, timeoutMs } = options;
    const { path, query } = addressOf(node);
    const project_id = await this.#scope.projectId(options);
    const call = { path, query: { ...query, project_id }, signal, timeoutMs };
    return (await callAdmin<WholeNode>(this.#transport, call)).body;
  }

  /** Relationships of a node, each with the node at its other end. @throws IkgError 404 for a node that is not there */
  neighbours(
    node: Named,
    { types, direction, ...options }: NeighboursOptions = {},
  ): Pages<Neighbour, CursorPage<Neighbour>> {
    const { path, query } = addressOf(node);
    return this.#list(`${path}/neighbours`, options, { ...query, types: types?.join(","), direction });
  }

  /**
   * Types of nodes and relationships with their counts, at most a minute old. Also for `editor`, `policy_author` and `all_viewer`.
   *
   * @throws IkgError 404 for a graph without nodes
   */
  async schema(options: ScopeOptions = {}): Promise<DataSchema> {
    const { signal, timeoutMs } = options;
    const project_id = await this.#scope.projectId(options);
    const call = { path: "/data-schema/v1", query: { project_id }, signal, timeoutMs };
    return (await callAdmin<DataSchema>(this.#transport, call)).body;
  }
}
