import { introspectionNote, type Route, route } from "@ikg/service";
import type { Whoami } from "../identity/whoami.ts";

/** GET /ciq/v1/whoami: the node of the end user's token; for administrators who configure token introspection. */
export const whoami = (identify: Whoami): Route =>
  route({
    operation: "whoami",
    method: "get",
    path: "/ciq/v1/whoami",
    caller: "agent",
    permission: "ContXIQ",
    handle: ({ caller, bearer, note }) =>
      identify(caller, bearer, (outcome) => note(() => introspectionNote(caller.project, outcome))),
  });
