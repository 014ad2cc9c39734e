import type { DeleteNodesRequest, NodeRef } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { constituentOf } from "../projects/constituent.ts";
import { writeByDatabase, type IndexedItem } from "../batches/write-by-database.ts";
import { activeProject } from "../projects/projects.ts";
import { nodesRefusals, refuse } from "../batches/refusals.ts";
import { resultsOf, sortedRows } from "../batches/rows.ts";
import { detachHubs } from "./detach-hubs.ts";
import { deleteNodesText } from "./statements.ts";

/** Removes nodes with their relationships and trust scores. */
export const deleteNodes =
  ({ graph, projects }: CaptureParts): Verb<DeleteNodesRequest> =>
  async (projectId, { nodes }, request) => {
    const project = await activeProject(projects, projectId);
    refuse(nodesRefusals(nodes, project));
    await detachHubs(graph, project, nodes, request);
    const remove = async (tx: Transaction, indexed: readonly IndexedItem<NodeRef>[]): Promise<string[]> => {
      const keys = indexed.map(({ item }) => nodeKey(project.pk, item.type, item.external_id));
      // A node that is named twice is deleted once, and both items tell which it was.
      const rows = sortedRows([...new Set(keys)].map((k) => ({ k })));
      const removed = await tx.run(deleteNodesText(project.pk), { rows });
      const ids = new Map(removed.map((row) => [rows[Number(row["i"])]?.k, String(row["id"])]));
      return keys.map((key) => ids.get(key) ?? "");
    };
    return resultsOf(
      await writeByDatabase<NodeRef, string>(graph, project, request, {
        items: nodes,
        constituentOf: ({ location }) => constituentOf(project, location),
        work: remove,
        mirror: remove,
      }),
    );
  };
