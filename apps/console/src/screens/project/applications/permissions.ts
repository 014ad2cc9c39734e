import type { ApplicationAgentRecord } from "@ikg/client";
import type { Choice } from "../form/form-field.ts";

export type Permission = ApplicationAgentRecord["api_permissions"][number];

const hints: Readonly<Record<Permission, string>> = {
  Authorization: "Request decisions and searches",
  Capture: "Write the graph: nodes, relationships and imports",
  ContXIQ: "Run knowledge queries",
  ReadAuthZConfigs: "Read active policies, and explanations",
  ReadDataSchema: "Read the types of the graph with their counts",
  ReadGraph: "Export the graph",
  Audit: "Read the audit trail",
  EntityMatching: "Has no effect here; accepted for compatibility with other products",
  IKGRead: "Has no effect here; accepted for compatibility with other products",
};

/** What an agent can be allowed, with what that opens. */
export const permissionChoices: readonly Choice[] = Object.entries(hints).map(([value, hint]) => ({
  value,
  label: value,
  hint,
}));

export const permissionHint = (permission: Permission): string => hints[permission];
