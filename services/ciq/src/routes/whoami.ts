import { introspectionNote, type Route, route } from "@ikg/service";
import type { Whoami } from "../identity/whoami.ts";

/** GET /ciq/v1/whoami: whom the end user's token stands for; for those who set up token introspects. */
export const whoami = (tell: Whoami): Route =>
  route({
    operation: "whoami",
    method: "get",
    path: "/ciq/v1/whoami",
    caller: "agent",
    permission: "ContXIQ",
    handle: ({ caller, bearer, note }) =>
      tell(caller, bearer, (outcome) => note(() => introspectionNote(caller.project, outcome))),
  });
