import type { StoredKbacPolicy } from "@ikg/catalog";
import { type Route, route } from "@ikg/service";
import type { z } from "zod";
import type { RequestContext, ResolveRequest } from "./request-context.ts";
import { decisionNote } from "./decision-note.ts";

/** Called with a policy that grants, and with the index of its entry where a request has several. */
export type OnGrant = (by: StoredKbacPolicy, entry?: number) => void;

/** An endpoint that answers a question about the caller's project, and changes nothing. */
export const question = <S extends z.ZodType>(
  operation: string,
  path: string,
  request: S,
  resolveRequest: ResolveRequest,
  answer: (context: RequestContext, body: z.output<S>, onGrant: OnGrant) => Promise<unknown>,
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
      const question = { operation, context, body, consistencyToken, grants };
      try {
        const response = await answer(context, body, (by, entry = 0) => void grants.set(entry, by));
        input.note(() => decisionNote(question, response));
        return response;
      } catch (error) {
        input.note(() => decisionNote(question, undefined));
        throw error;
      }
    },
  });
