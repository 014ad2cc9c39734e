import type { StoredKbacPolicy } from "@ikg/catalog";
import { type Route, route } from "@ikg/service";
import type { z } from "zod";
import type { QuestionContext, ResolveRequest } from "./question-context.ts";
import { decisionNote } from "./decision-note.ts";

/** Keeps for the audit record which policy granted, by the index of its entry where a request has several. */
export type RecordGrant = (policy: StoredKbacPolicy, entry?: number) => void;

/** An endpoint that answers a question about the caller's project, and changes nothing. */
export const questionRoute = <S extends z.ZodType>(
  operation: string,
  path: string,
  request: S,
  resolveRequest: ResolveRequest,
  answer: (context: QuestionContext, body: z.output<S>, recordGrant: RecordGrant) => Promise<unknown>,
): Route =>
  route({
    operation,
    method: "post",
    path: `/access/v1${path}`,
    caller: "agent",
    permission: "Authorization",
    request,
    handle: async (input) => {
      const context = await resolveRequest(input);
      const { body, consistencyToken } = input;
      const grants = new Map<number, StoredKbacPolicy>();
      const audited = { operation, context, body, consistencyToken, grants };
      try {
        const response = await answer(context, body, (policy, entry = 0) => void grants.set(entry, policy));
        input.note(() => decisionNote(audited, response));
        return response;
      } catch (error) {
        input.note(() => decisionNote(audited, undefined));
        throw error;
      }
    },
  });
