import { ChangeSet, maxChangesBytes, type Reach, reachOf, roleMissing, rolesThat } from "@ikg/contracts";
import { type RequestInput, type Route, route } from "@ikg/service";
import { z } from "zod";
import { applyChanges } from "../changes/apply.ts";
import { callNote } from "../history/call-note.ts";
import { openJournal } from "../history/journal.ts";
import { appliedAnswer, notStored } from "./applied-answer.ts";
import { callerContextOf } from "./caller.ts";
import type { RecordWriteParts } from "./record-write-parts.ts";

const query = z.object({
  dry_run: z.enum(["true", "false"], { error: "true or false" }).optional(),
});

/**
 * Where a caller may apply: a dry run is open to more roles than that.
 *
 * @throws Problem `role_missing`, `role_read_only` (403).
 */
const reachToApply = ({ caller }: Pick<RequestInput<undefined, "administrator">, "caller">): Reach => {
  const reach = reachOf(caller, rolesThat.changePolicies);
  if (reach.length === 0) throw roleMissing(caller);
  return reach;
};

/** POST /configs/v1/changes: applies a change set in one transaction, or says with `dry_run=true` what it would do. */
export const applyChangesRoute = (parts: RecordWriteParts): Route =>
  route({
    operation: "apply_changes",
    method: "post",
    path: "/configs/v1/changes",
    caller: "administrator",
    request: ChangeSet,
    queryParameters: query,
    faults: "unprocessable",
    bodyLimit: maxChangesBytes,
    handle: async (input) => {
      const dryRun = input.query.dry_run === "true";
      const { store } = parts;
      const { project_id: projectId, message, changes } = input.body;
      const caller = callerContextOf(dryRun ? input : { ...input, reach: reachToApply(input) });
      const set = { projectId, changes: changes.map((change) => ({ change })), lenient: false };
      const journal = openJournal(parts, {
        ...input,
        caller,
        status: 200,
        message,
        callNote: (change_id, { length: count }) => callNote(projectId, { call: "apply", change_id, count }),
      });
      const applied = await applyChanges(store, set, caller, journal.write, dryRun);
      if (!dryRun) return appliedAnswer(input, store, applied, input.body, journal, caller);
      input.note(() => callNote(projectId, { call: "dry_run", count: applied.transitions.length }));
      return { dry_run: true, ...notStored(applied, input.body, caller, store.now()) };
    },
  });
