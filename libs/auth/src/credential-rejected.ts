import type { Caller } from "@ikg/contracts";

/**
 * Why a credential that exists, or a verified sign-in, was refused: cause of the problem, which does not reveal it to the caller,
 * who need not be its owner.
 */
export class CredentialRejected extends Error {
  override readonly name = "CredentialRejected";
  /** Whom the credential belongs to. */
  readonly owner: Caller;

  constructor(owner: Caller, reason: "expired" | "wrong secret" | "sign-in too weak or too old") {
    super(reason);
    this.owner = owner;
  }
}
