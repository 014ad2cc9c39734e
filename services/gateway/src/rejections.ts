import type { IncomingMessage } from "node:http";
import { CredentialRejected } from "@ikg/auth";
import { type Caller, Problem } from "@ikg/contracts";
import { auditedRequest, type AuditTrail, type Exchange, rejectionNote } from "@ikg/service";

/** A caller who is known and may not; the problem tells why. */
export class CallerRefused extends Problem {
  readonly caller: Caller;

  constructor(caller: Caller, code: "permission_missing" | "role_read_only", message?: string) {
    super(code, message === undefined ? {} : { message });
    this.caller = caller;
  }
}

/** Whose credential was refused, and why; undefined where nobody is known. */
const refusedOf = (error: unknown): { readonly owner: Caller; readonly reason: string } | undefined => {
  if (error instanceof CallerRefused) return { owner: error.caller, reason: error.message };
  const cause = error instanceof Problem ? error.cause : undefined;
  return cause instanceof CredentialRejected ? { owner: cause.owner, reason: cause.message } : undefined;
};

/**
 * Leaves a record of a refused credential in the chain of whom it belongs to. A credential that nobody has belongs to no
 * chain: what is known of it is the line in the log.
 */
export const recordRejections =
  (trail: AuditTrail) =>
  async (error: unknown, request: IncomingMessage, exchange: Exchange): Promise<void> => {
    const refused = refusedOf(error);
    if (refused === undefined || !(error instanceof Problem)) return;
    const told = trail.begin(auditedRequest(request, exchange, request.socket.remoteAddress));
    told.note(() => rejectionNote(refused.owner, refused.reason));
    await told.keep(refused.owner, error.status);
  };
