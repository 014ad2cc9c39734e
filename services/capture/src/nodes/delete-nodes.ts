import type { DeleteNodesRequest } from "@ikg/contracts";
import { nodeKey } from "@ikg/physical";
import type { CaptureParts, Verb } from "../capture.ts";
import { activeProject } from "../projects.ts";
import { nodesRefusals, refuse } from "../refusals.ts";
import { resultsOf, sortedRows } from "../rows.ts";
import { inOneTransaction } from "../transaction.ts";
import { deleteNodesText } from "./statements.ts";

/** Removes nodes with their relationships and trust scores (api specification 4.5). */
export const deleteNodes =
  ({ graph, projects }: CaptureParts): Verb<DeleteNodesRequest> =>
  async (projectId, { nodes }, request) => {
    const project = await activeProject(projects, projectId);
    refuse(nodesRefusals(nodes));
    const keys = nodes.map(({ type, external_id: id }) => nodeKey(project.pk, type, id));
    // A node that is named twice is deleted once, and both items tell which it was.
    const rows = sortedRows([...new Set(keys)].map((k) => ({ k })));
    const removed = await inOneTransaction(graph, project, request, (tx) =>
      tx.run(deleteNodesText(project.pk), { rows }),
    );
    const ids = new Map(removed.map((row) => [rows[Number(row["i"])]?.k, row["id"]]));
    return resultsOf(keys.map((key) => ids.get(key)));
  };
