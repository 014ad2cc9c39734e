import type { IncomingMessage } from "node:http";
import { CredentialRejected } from "@ikg/auth";
import { type Caller, Problem } from "@ikg/contracts";
import {
  auditedRequest,
  type AuditTrail,
  clientNetwork,
  type Exchange,
  rejectionNote,
  type RepeatedRefusals,
} from "@ikg/service";

/** A caller who is known and may not; the problem tells why. */
export class CallerRefused extends Problem {
  readonly caller: Caller;

  constructor(caller: Caller, code: "permission_missing" | "role_read_only", message?: string) {
    super(code, message === undefined ? {} : { message });
    this.caller = caller;
  }
}

/**
 * Leaves a record of a refused credential in the chain of whom it belongs to. A credential that nobody has belongs to no
 * chain: what is known of it is the line in the log. Whoever sends one that is expired or wrong need not be its owner, so
 * equal attempts of one address leave one record together.
 */
export const recordRejections =
  (trail: AuditTrail, refusals: RepeatedRefusals) =>
  async (error: unknown, request: IncomingMessage, exchange: Exchange): Promise<void> => {
    if (!(error instanceof Problem)) return;
    const { status, cause } = error;
    const about = auditedRequest(request, exchange, request.socket.remoteAddress);
    if (error instanceof CallerRefused) {
      const { caller, message } = error;
      const told = trail.begin(about);
      told.note(() => rejectionNote(caller, message));
      await told.keep(caller, status);
    } else if (cause instanceof CredentialRejected) {
      const { owner, message } = cause;
      await refusals.keep({
        key: [owner.credential_kid, message, clientNetwork(about.ip)].join(" "),
        request: about,
        caller: owner,
        status,
        note: (repeats) => rejectionNote(owner, message, repeats),
      });
    }
  };
