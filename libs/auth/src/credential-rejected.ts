import type { CredentialOwner } from "@ikg/contracts";

/**
 * Why a credential that exists was refused: cause of the problem, which does not reveal it to the caller, who need not be its
 * owner.
 */
export class CredentialRejected extends Error {
  override readonly name = "CredentialRejected";
  /** Whom the credential belongs to. */
  readonly owner: CredentialOwner;

  constructor(owner: CredentialOwner, reason: "expired" | "wrong secret") {
    super(reason);
    this.owner = owner;
  }
}
