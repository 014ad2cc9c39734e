import { captureLimits } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { z } from "zod";
import type { Verb } from "../capture.ts";

/** An endpoint that takes a batch: all of it is carried out, or nothing (api specification 4.1). */
export const batch = <S extends z.ZodType>(
  operation: string,
  method: "post" | "put",
  path: string,
  request: S,
  verb: Verb<z.output<S>>,
): Route =>
  route({
    operation,
    method,
    path: `/capture/v1${path}`,
    caller: "agent",
    permission: "Capture",
    request,
    bodyLimit: captureLimits.bodyBytes,
    handle: ({ body, caller, requestId, signal }) => verb(caller.project, body, { requestId, signal }),
  });
