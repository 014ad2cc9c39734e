import type { RoleBindingRecord } from "@ikg/client";

/** What each role is for: docs/roles.md. */
export const roleTexts: Readonly<Record<RoleBindingRecord["role"], string>> = {
  owner: "everything, also who else may do what",
  editor: "the records of projects, policies and queries included",
  policy_author: "policies and queries, and simulations; reads the other records",
  viewer: "reading records",
  data_viewer: "the contents of the graph, and exports",
  auditor: "the audit trail, and replays",
};

/** Only service accounts have it, by their own record. */
export const allViewerText = "reading records, simulations, and the audit trail";
