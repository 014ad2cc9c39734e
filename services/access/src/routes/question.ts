import { type Route, route } from "@ikg/service";
import type { z } from "zod";
import type { Arrival, Arrivals } from "./arrival.ts";
import { decisionNote } from "./decision-note.ts";

/** An endpoint that asks something of the caller's project, and changes nothing. */
export const question = <S extends z.ZodType>(
  operation: string,
  path: string,
  request: S,
  arrive: Arrivals,
  answer: (arrival: Arrival, body: z.output<S>) => Promise<unknown>,
): Route =>
  route({
    operation,
    method: "post",
    path: `/access/v1${path}`,
    caller: "agent",
    permission: "Authorization",
    request,
    handle: async (input) => {
      const arrival = await arrive(input);
      const about = { operation, arrival, body: input.body, consistencyToken: input.consistencyToken };
      try {
        const answered = await answer(arrival, input.body);
        input.note(() => decisionNote(about, answered));
        return answered;
      } catch (error) {
        input.note(() => decisionNote(about, undefined));
        throw error;
      }
    },
  });
