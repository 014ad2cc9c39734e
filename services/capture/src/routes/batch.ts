import { captureLimits, type Gid } from "@ikg/contracts";
import { type AuditNote, type Route, route, withConsistency } from "@ikg/service";
import type { z } from "zod";
import type { CaptureParts, Verb } from "../capture.ts";

/** An endpoint that takes a batch: all of it is carried out, or nothing (api specification 4.1). */
export const batch = <S extends z.ZodType>(
  { tokens }: CaptureParts,
  operation: string,
  method: "post" | "put",
  path: string,
  request: S,
  verb: Verb<z.output<S>>,
  noteOf: (project: Gid, body: z.output<S>) => AuditNote,
): Route =>
  route({
    operation,
    method,
    path: `/capture/v1${path}`,
    caller: "agent",
    permission: "Capture",
    request,
    bodyLimit: captureLimits.bodyBytes,
    handle: ({ body, caller: { project }, requestId, signal, note }) => {
      note(() => noteOf(project, body));
      return withConsistency(tokens, project, (onCommit) =>
        verb(project, body, { requestId, signal, onCommit }),
      );
    },
  });
