import { ExecuteRequest } from "@ikg/contracts";
import {
  type CompatAlias,
  type ConsistencyTokens,
  requireExplain,
  type Route,
  route,
  withConsistency,
} from "@ikg/service";
import type { Execute, ExecutionAnswer } from "../execution/execution.ts";
import { openAccount } from "./execution-account.ts";

/** Clients that use this other name of the endpoint count pages. */
const countingAlias: CompatAlias = "execute";

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
      const { caller, bearer, body: request, requestId, signal, consistencyToken, explain, note } = input;
      const countsPages = input.alias === countingAlias;
      const after = tokens.read(caller.project, consistencyToken);
      const account = openAccount(caller, request, note);
      const { listener } = account;
      return withConsistency(tokens, caller.project, async (onCommit) => {
        const consistency = { after, onCommit };
        let answer: ExecutionAnswer | undefined;
        try {
          answer = await run({
            caller,
            bearer,
            request,
            requestId,
            signal,
            consistency,
            countsPages,
            explain,
            listener,
          });
          return answer.body;
        } finally {
          note(() => account.note(answer));
        }
      });
    },
  });
