import { callDataPlane, type DataPlane, writeInTurn } from "../data-plane.ts";
import type {
  GraphNode,
  GraphRelationship,
  Import,
  NodeContent,
  NodeMetadata,
  NodeProperties,
  NodeRef,
  PutNodeResult,
  RelationshipProperties,
  RelationshipRef,
} from "../contract/wire.ts";
import type { CallOptions } from "../transport/options.ts";
import { requireList } from "../transport/require-list.ts";
import type { Items } from "./batches.ts";
import { captureBatches, type CaptureOptions, type CaptureResult } from "./capture-batches.ts";
import { type ExportCounts, exportGraph, type ExportOptions } from "./graph-export.ts";
import { ImportJob } from "./import-job.ts";
import { type ImportOptions, startImport } from "./imports.ts";
import type { ImportLine, ImportSource } from "./lines.ts";

export interface RelationshipOptions extends CaptureOptions {
  /** `skip` leaves out what names a node that does not exist; by default the request with it is refused. */
  readonly onMissing?: "fail" | "skip" | undefined;
  /** Relates nodes of different locations, by their proxies. */
  readonly useGlobalDb?: boolean | undefined;
}

const otherMembersOf = ({ onMissing, useGlobalDb }: RelationshipOptions): Record<string, unknown> => ({
  ...(onMissing !== undefined && { on_missing: onMissing }),
  ...(useGlobalDb !== undefined && { use_global_db: useGlobalDb }),
});

/** Writes of the graph. All of them are idempotent, and repeated after a passing failure. */
export class Capture {
  readonly #plane: DataPlane;

  constructor(plane: DataPlane) {
    this.#plane = plane;
  }

  /**
   * Creates or updates nodes, any number of them: 250 a request, 4 requests at a time. A node that is named twice has
   * the properties of one of them, not necessarily of the last.
   */
  nodes(nodes: Items<GraphNode>, options?: CaptureOptions): Promise<CaptureResult> {
    return captureBatches(this.#plane, { path: "/capture/v1/nodes", member: "nodes" }, nodes, options);
  }

  /** Creates or updates relationships between nodes that exist. */
  relationships(
    relationships: Items<GraphRelationship>,
    options: RelationshipOptions = {},
  ): Promise<CaptureResult> {
    return this.#relationships("", relationships, options);
  }

  /** Updates a node by its gid. */
  async putNode(
    id: string,
    content: NodeContent,
    { signal, timeoutMs }: CallOptions = {},
  ): Promise<PutNodeResult> {
    const path = `/capture/v1/nodes/${encodeURIComponent(id)}`;
    const call = { method: "PUT", path, json: content, idempotent: true, signal, timeoutMs } as const;
    const write = () => callDataPlane<PutNodeResult>(this.#plane, call);
    return (await writeInTurn(this.#plane, signal, write)).body;
  }

  /** Deletes nodes with their relationships; deleting a missing node is not an error. */
  deleteNodes(nodes: Items<NodeRef>, options?: CaptureOptions): Promise<CaptureResult> {
    return captureBatches(this.#plane, { path: "/capture/v1/nodes/delete", member: "nodes" }, nodes, options);
  }

  deleteNodeProperties(nodes: Items<NodeProperties>, options?: CaptureOptions): Promise<CaptureResult> {
    const target = { path: "/capture/v1/nodes/properties/delete", member: "nodes" } as const;
    return captureBatches(this.#plane, target, nodes, options);
  }

  deleteNodeMetadata(nodes: Items<NodeMetadata>, options?: CaptureOptions): Promise<CaptureResult> {
    const target = { path: "/capture/v1/nodes/properties/metadata/delete", member: "nodes" } as const;
    return captureBatches(this.#plane, target, nodes, options);
  }

  deleteRelationships(
    relationships: Items<RelationshipRef>,
    options: Omit<RelationshipOptions, "onMissing"> = {},
  ): Promise<CaptureResult> {
    return this.#relationships("/delete", relationships, options);
  }

  deleteRelationshipProperties(
    relationships: Items<RelationshipProperties>,
    options: Omit<RelationshipOptions, "onMissing"> = {},
  ): Promise<CaptureResult> {
    return this.#relationships("/properties/delete", relationships, options);
  }

  /** Uploads any number of nodes and relationships, which a worker of the suite then writes. */
  import(source: ImportSource, options?: ImportOptions): Promise<ImportJob> {
    return startImport(this.#plane, source, options);
  }

  /**
   * The graph of the project as lines that `import` takes, as they come; it needs the permission `ReadGraph`. What is written
   * meanwhile may be among them or not.
   *
   * @returns how much it was, when all of it was there.
   * @throws IkgUnreachable where it was cut off: what came until then is not all.
   */
  export(options?: ExportOptions): AsyncGenerator<ImportLine, ExportCounts, undefined> {
    return exportGraph(this.#plane, options);
  }

  /** An import that was started before. */
  job(id: string): ImportJob {
    return new ImportJob(this.#plane, id);
  }

  /** The newest 100 imports. */
  async imports({ signal, timeoutMs }: CallOptions = {}): Promise<Import[]> {
    const path = "/capture/v1/imports";
    const call = { method: "GET", path, idempotent: true, signal, timeoutMs } as const;
    const { body } = await callDataPlane<{ data: Import[] }>(this.#plane, call);
    return requireList(body.data, "data");
  }

  #relationships<T>(below: string, items: Items<T>, options: RelationshipOptions): Promise<CaptureResult> {
    const path = `/capture/v1/relationships${below}`;
    const target = { path, member: "relationships", otherMembers: otherMembersOf(options) } as const;
    return captureBatches(this.#plane, target, items, options);
  }
}
