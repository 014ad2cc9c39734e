import type { CredentialOwner, ChangeAnnouncement, GidKind } from "@ikg/contracts";

/** Kinds of records that a caller is made of. */
const kinds = new Set<GidKind>([
  "organization",
  "project",
  "application",
  "application_agent",
  "application_agent_credential",
  "service_account",
  "service_account_credential",
  "role_binding",
]);

/** True when a change can concern any caller, or with `caller` given this one. */
export const concerns = (change: ChangeAnnouncement, caller?: CredentialOwner): boolean => {
  if (!kinds.has(change.kind)) return false;
  if (caller === undefined) return true;
  switch (change.kind) {
    case "organization":
      return caller.org === change.id;
    case "project":
      return caller.kind === "agent" && caller.project === change.id;
    case "application":
      return caller.kind === "agent" && caller.application === change.id;
    case "application_agent":
      return caller.kind === "agent" && caller.agent === change.id;
    case "service_account":
      return caller.kind === "service_account" && caller.service_account === change.id;
    case "role_binding":
      return caller.kind !== "agent" && caller.org === change.organization_id;
    default:
      // A credential is remembered by its key id; an announcement without one may mean any.
      return change.kid === undefined || caller.credential_kid === change.kid;
  }
};
