import type { IncomingMessage } from "node:http";
import { CredentialRejected } from "@ikg/auth";
import { type Caller, Problem, type ProblemCode } from "@ikg/contracts";
import {
  auditedRequest,
  type AuditTrail,
  clientNetwork,
  type RequestContext,
  rejectionNote,
  type RepeatedRefusals,
} from "@ikg/service";
import type { ClientAddressOf } from "./client-address/client-address.ts";

/** A known caller that lacks a permission or a role; the problem says which. */
export class PermissionDeniedError extends Problem {
  readonly caller: Caller;

  constructor(caller: Caller, code: ProblemCode, message?: string) {
    super(code, message === undefined ? {} : { message });
    this.caller = caller;
  }
}

/**
 * Leaves a record of a refused credential in its owner's chain. A credential that does not exist belongs to no chain and
 * has only a line in the log. The sender of one that is expired or wrong need not be its owner, so equal attempts of one
 * address share a record.
 */
export const recordRejections =
  (trail: AuditTrail, refusals: RepeatedRefusals, addressOf: ClientAddressOf) =>
  async (error: unknown, request: IncomingMessage, context: RequestContext): Promise<void> => {
    if (!(error instanceof Problem)) return;
    const { status, cause } = error;
    const audited = auditedRequest(request, context, addressOf(request));
    if (error instanceof PermissionDeniedError) {
      const { caller, message } = error;
      const requestTrail = trail.begin(audited);
      requestTrail.note(() => rejectionNote(caller, message));
      await requestTrail.keep(caller, status);
    } else if (cause instanceof CredentialRejected) {
      const { owner, message } = cause;
      await refusals.keep({
        key: [owner.credential_kid, message, clientNetwork(audited.ip)].join(" "),
        request: audited,
        caller: owner,
        status,
        note: (repeats) => rejectionNote(owner, message, repeats),
      });
    }
  };
