import type { IncomingMessage } from "node:http";
import { CredentialRejected } from "@ikg/auth";
import { type Caller, Problem, type ProblemCode } from "@ikg/contracts";
import { auditedRequest, callerRefusal, type RequestContext, type RepeatedRefusals } from "@ikg/service";
import type { ClientAddressOf } from "./client-address/client-address.ts";

/** A known caller that lacks a permission or a role; the problem says which. */
export class PermissionDeniedError extends Problem {
  readonly caller: Caller;

  constructor(caller: Caller, code: ProblemCode, message?: string) {
    super(code, message === undefined ? {} : { message });
    this.caller = caller;
  }
}

/** Whom a problem refuses, and why; undefined for a caller that is unknown. */
const rejectionOf = (error: Problem): { readonly caller: Caller; readonly reason: string } | undefined => {
  const { cause } = error;
  if (error instanceof PermissionDeniedError) return { caller: error.caller, reason: error.message };
  return cause instanceof CredentialRejected ? { caller: cause.owner, reason: cause.message } : undefined;
};

/**
 * Leaves a record of a refused credential or caller in the owner's chain. A credential that does not exist, and a token that
 * cannot be verified, belong to no chain and have only a line in the log. The sender of a credential that is expired or wrong
 * need not be its owner, and a person without any role can call as often as one with a role, so equal attempts of one address
 * share a record.
 */
export const recordRejections =
  (refusals: RepeatedRefusals, addressOf: ClientAddressOf) =>
  async (error: unknown, request: IncomingMessage, context: RequestContext): Promise<void> => {
    if (!(error instanceof Problem)) return;
    const rejection = rejectionOf(error);
    if (rejection === undefined) return;
    const { caller, reason } = rejection;
    const audited = auditedRequest(request, context, addressOf(request));
    await refusals.keep(callerRefusal(caller, reason, error.status, audited));
  };
