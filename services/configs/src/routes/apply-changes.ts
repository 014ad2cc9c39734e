import { ChangeSet, maxChangesBytes, Problem } from "@ikg/contracts";
import { rejectionNote, type RequestInput, type Route, route } from "@ikg/service";
import { z } from "zod";
import { applyChanges } from "../changes/apply.ts";
import { callNote } from "../history/call-note.ts";
import { openJournal } from "../history/journal.ts";
import { appliedAnswer, notStored } from "./applied-answer.ts";
import { callerContextOf } from "./caller.ts";
import type { Writing } from "./writing.ts";

const query = z.object({
  dry_run: z.enum(["true", "false"], { error: "true or false" }).optional(),
});

/** The operation is open to viewers, who may only try. @throws Problem `role_read_only` (403). */
const requireEditor = ({
  caller,
  note,
}: Pick<RequestInput<undefined, "service_account">, "caller" | "note">): void => {
  if (caller.role === "all_editor") return;
  const problem = new Problem("role_read_only");
  note(() => rejectionNote(caller, problem.message));
  throw problem;
};

/** POST /configs/v1/changes: applies a change set in one transaction, or says with `dry_run=true` what it would do. */
export const applyChangesRoute = (writing: Writing): Route =>
  route({
    operation: "apply_changes",
    method: "post",
    path: "/configs/v1/changes",
    caller: "service_account",
    request: ChangeSet,
    queryParameters: query,
    faults: "unprocessable",
    bodyLimit: maxChangesBytes,
    handle: async (input) => {
      const dryRun = input.query.dry_run === "true";
      if (!dryRun) requireEditor(input);
      const { store } = writing;
      const { project_id: projectId, message, changes } = input.body;
      const caller = callerContextOf(input);
      const set = { projectId, changes: changes.map((change) => ({ change })), lenient: false };
      const journal = openJournal(writing, {
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
