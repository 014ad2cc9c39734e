import type { StoredKbacPolicy } from "@ikg/catalog";
import { type Route, route } from "@ikg/service";
import type { z } from "zod";
import type { RequestContext, ResolveRequest } from "./request-context.ts";
import { decisionNote } from "./decision-note.ts";

/** Told of the policy that grants: of several questions, the one at a place. */
export type OnGrant = (by: StoredKbacPolicy, entry?: number) => void;

/** An endpoint that asks something of the caller's project, and changes nothing. */
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
      const about = { operation, arrival: context, body, consistencyToken, grants };
      try {
        const answered = await answer(context, body, (by, entry = 0) => void grants.set(entry, by));
        input.note(() => decisionNote(about, answered));
        return answered;
      } catch (error) {
        input.note(() => decisionNote(about, undefined));
        throw error;
      }
    },
  });
