import { randomBytes } from "node:crypto";
import { type Gid, newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { newProjectKey, type ProjectKey, recordLabel, recordLabels } from "@ikg/physical";

const options = { timeoutMs: 80_000 };

/** Stores a project as the configs service does, for processes that read the catalog. */
export const storeProject = async (
  graph: Graph,
): Promise<{ readonly id: Gid; readonly pk: ProjectKey; remove(): Promise<void> }> => {
  const id = newGid("project");
  const pk = newProjectKey(randomBytes(8));
  const now = new Date().toISOString();
  const fields = {
    id,
    pk,
    kind: "project",
    organization_id: newGid("organization"),
    name: `imports-${pk}`,
    version: 1,
    etag: "1",
    create_time: now,
    update_time: now,
    ikg_status: "ACTIVE",
    data: "{}",
  };
  await graph.shared.write(
    (tx) => tx.run(`CREATE (r:${recordLabel}:${recordLabels.project}) SET r = $fields`, { fields }),
    options,
  );
  return {
    id,
    pk,
    remove: async () => {
      await graph.shared.write(
        (tx) => tx.run(`MATCH (r:${recordLabel} {id: $id}) DELETE r`, { id }),
        options,
      );
    },
  };
};
