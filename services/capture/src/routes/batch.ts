import { captureLimits, type CaptureResults, type Gid, type UpsertResults } from "@ikg/contracts";
import { type AuditNote, type Route, route, withConsistency } from "@ikg/service";
import type { z } from "zod";
import type { CaptureParts, Verb } from "../batches/verb.ts";

/**
 * An endpoint that takes a batch: all of it is carried out, or nothing.
 *
 * @param noteOf what the audit record says of the request, and of the items that its answer says were left out.
 */
export const batch = <S extends z.ZodType, A extends CaptureResults>(
  { tokens }: CaptureParts,
  operation: string,
  method: "post" | "put",
  path: string,
  request: S,
  verb: Verb<z.output<S>, A>,
  noteOf: (project: Gid, body: z.output<S>, skipped: UpsertResults["skipped"]) => AuditNote,
): Route =>
  route({
    operation,
    method,
    path: `/capture/v1${path}`,
    caller: "agent",
    permission: "Capture",
    request,
    bodyLimit: captureLimits.bodyBytes,
    handle: async ({ body, caller: { project }, requestId, signal, note }) => {
      let skipped: UpsertResults["skipped"];
      try {
        return await withConsistency(tokens, project, async (onCommit) => {
          const answer: UpsertResults = await verb(project, body, { requestId, signal, onCommit });
          ({ skipped } = answer);
          return answer;
        });
      } finally {
        // Also of what failed.
        note(() => noteOf(project, body, skipped));
      }
    },
  });
