import { ExecuteRequest } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { Execute } from "../execution/execute.ts";

/** POST /ciq/v1/execute: runs a stored knowledge query as its policy allows. */
export const execute = (run: Execute): Route =>
  route({
    operation: "execute",
    method: "post",
    path: "/ciq/v1/execute",
    caller: "agent",
    permission: "ContXIQ",
    request: ExecuteRequest,
    handle: ({ caller, bearer, body, requestId, signal }) =>
      run({ caller, bearer, request: body, requestId, signal }),
  });
