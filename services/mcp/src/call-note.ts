import type { Token } from "@ikg/auth";
import { type Gid, setFields } from "@ikg/contracts";
import { type AuditNote, onBehalfOf } from "@ikg/service";
import type { VisitCall } from "./visit.ts";

/** What the record of a call over the protocol says. */
export const callNote = (
  chain: Gid,
  user: Token,
  { method, tool, outcome }: VisitCall,
): AuditNote<"audit.mcp.call"> => ({
  type: "audit.mcp.call",
  chain,
  onBehalfOf: onBehalfOf(user),
  data: setFields({ method, tool, outcome }),
  outcome,
});
