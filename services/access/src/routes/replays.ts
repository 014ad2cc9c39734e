import { activeSnapshotFor, type Catalog } from "@ikg/catalog";
import { reaches, reachOf, ReplayRequest, roleMissing, rolesThat } from "@ikg/contracts";
import { type ProjectSlots, type Route, route } from "@ikg/service";
import type { PrepareReplay } from "../replays/replay.ts";

/** POST /access/v1/replays: recorded decisions, decided again by what is there today, and with `changes` as a simulation would. */
export const replays = (catalog: Catalog, prepare: PrepareReplay, slots: ProjectSlots): Route =>
  route({
    operation: "replay",
    method: "post",
    path: "/access/v1/replays",
    caller: "administrator",
    request: ReplayRequest,
    faults: "unprocessable",
    handle: async ({ body, caller, reach, requestId, signal, note }) => {
      const snapshot = await activeSnapshotFor(catalog, body.project_id, caller, reach);
      // Made-up policies on made-up records answer any question about the graph, as a simulation does.
      const mayChange = reaches(reachOf(caller, rolesThat.simulate), snapshot.project.id);
      if (body.changes !== undefined && !mayChange) throw roleMissing(caller);
      const run = await prepare(snapshot, body, { requestId, signal });
      const release = slots.take(snapshot.project);
      note(() => ({
        type: "audit.authorization.replay",
        chain: snapshot.project.id,
        data: { records: body.records.length },
      }));
      try {
        return await run();
      } finally {
        release();
      }
    },
  });
