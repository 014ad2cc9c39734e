import {
  isGid,
  NodeRef,
  parse,
  Problem,
  type PutNodeRequest,
  type PutNodeResult,
  type UpsertNode,
} from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { constituentOf } from "../projects/constituent.ts";
import { nodeNames } from "../batches/names.ts";
import { activeProject } from "../projects/projects.ts";
import { refuse } from "../batches/refusals.ts";
import { inOneTransaction } from "../batches/transaction.ts";
import { nodeBatch } from "./node-rows.ts";
import { splitNodeName } from "./split-node-name.ts";
import { nodeNameText } from "./statements.ts";
import { nodeRefusals, writeInPlaces, writeNodes } from "./upsert-nodes.ts";

/** @throws Problem `not_found` (404) for what is neither a gid nor a name, `invalid_request` (400) for an invalid name. */
const namedNode = (name: string): NodeRef => {
  const parts = splitNodeName(name);
  if (parts === undefined) throw new Problem("not_found");
  return parse(NodeRef, parts);
};

const nodeByGid = async (tx: Transaction, pk: ProjectKey, id: string): Promise<NodeRef> => {
  const [row] = await tx.run(nodeNameText(pk), { id });
  if (row === undefined) throw new Problem("not_found");
  const location = row["location"];
  return {
    type: String(row["type"]),
    external_id: String(row["externalId"]),
    location: typeof location === "string" ? location : undefined,
  };
};

/**
 * Updates one node by its gid, or creates or updates it by its name.
 *
 * @throws Problem `not_found` (404) for an unknown gid.
 */
export const putNode =
  (parts: CaptureParts, id: string): Verb<PutNodeRequest, PutNodeResult> =>
  async (projectId, body, request) => {
    const project = await activeProject(parts.projects, projectId);
    const named = isGid(id) ? undefined : namedNode(id);
    const now = parts.now().toISOString();
    const nodeOf = (ref: NodeRef): UpsertNode => {
      const node = { ...body, ...ref };
      refuse(nodeRefusals(node, "node", project));
      return node;
    };
    const known = named && nodeOf(named);
    await parts.names.reserve(project, [{ place: "node", visit: nodeNames(known ?? body) }]);
    const work = async (tx: Transaction): Promise<string | UpsertNode> => {
      const node = known ?? nodeOf(await nodeByGid(tx, project.pk, id));
      // A proxy says where the node is.
      if (constituentOf(project, node.location) !== undefined) return node;
      const [written = ""] = await writeNodes(tx, project.pk, nodeBatch([node], project.pk, now), now);
      return written;
    };
    const found = await inOneTransaction(parts.graph, project, request, { work, rows: 1 });
    const [written = ""] =
      typeof found === "string" ? [found] : await writeInPlaces(parts.graph, project, [found], request, now);
    return { id: written, results: [{ id: written }] };
  };
