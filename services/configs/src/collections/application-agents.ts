import { CreateApplicationAgent } from "@ikg/contracts";
import { systemTypes } from "@ikg/physical";
import type { Collection } from "./collection.ts";

/** api specification 9.4. */
export const applicationAgents: Collection<CreateApplicationAgent> = {
  kind: "application_agent",
  path: "/application-agents",
  singular: "application_agent",
  plural: "application_agents",
  request: CreateApplicationAgent,
  parent: { kind: "application", field: "application_id", of: (body) => body.application_id },
  scope: "project",
  named: true,
  systemNode: { type: systemTypes.agent, belongsTo: systemTypes.application },
  content: (body) => ({ data: { api_permissions: body.api_permissions } }),
  present: (record) => ({ application_id: record.parentId, ...record.data }),
};
