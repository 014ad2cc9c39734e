import { ExecuteRequest } from "@ikg/contracts";
import { type ConsistencyTokens, requireExplain, type Route, route, withConsistency } from "@ikg/service";
import type { Execute } from "../execution/execute.ts";

/** POST /ciq/v1/execute: runs a stored knowledge query as its policy allows. */
export const execute = (run: Execute, tokens: ConsistencyTokens): Route =>
  route({
    operation: "execute",
    method: "post",
    path: "/ciq/v1/execute",
    caller: "agent",
    permission: "ContXIQ",
    request: ExecuteRequest,
    handle: (input) => {
      requireExplain(input);
      const { caller, bearer, body: request, requestId, signal, consistencyToken, explain } = input;
      const after = tokens.read(caller.project, consistencyToken);
      return withConsistency(tokens, caller.project, (onCommit) =>
        run({ caller, bearer, request, requestId, signal, consistency: { after, onCommit }, explain }),
      );
    },
  });
