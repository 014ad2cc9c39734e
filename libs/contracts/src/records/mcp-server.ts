import { z } from "zod";
import { text } from "../names.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, parent, projectParents, reference } from "./fields.ts";

const fields = {
  project_id: parent("project"),
  ...nameFields,
  app_agent_id: reference("application_agent"),
  token_introspect_id: reference("token_introspect"),
  enabled: {
    schema: z.boolean({ error: "boolean expected" }),
    create: "required",
    update: "required",
    rule: "true or false",
  },
  scopes_supported: {
    schema: z.array(text(1, 256), { error: "array expected" }).min(1, { error: "at least one entry" }),
    create: "required",
    update: "required",
    rule: "at least one, each 1-256 characters",
  },
} as const;

export const McpServerRecord = z.object({
  ...namedRecord,
  ...projectParents,
  app_agent_id: z.string(),
  token_introspect_id: z.string(),
  enabled: z.boolean(),
  scopes_supported: z.array(z.string()),
});

export const mcpServerCollection = {
  kind: "mcp_server",
  path: "/mcp-servers",
  singular: "mcp_server",
  plural: "mcp_servers",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  etagInQuery: true,
  fields,
  record: McpServerRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;
