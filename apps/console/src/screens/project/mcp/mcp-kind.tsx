import type { McpServerRecord } from "@ikg/client";
import { PlainText } from "../../../parts/plain-text.tsx";
import { listIn, textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordScreen } from "../records/record-screen.ts";
import { ReferencedRecord } from "../records/referenced-record.tsx";

const EnabledTag = ({ enabled }: Pick<McpServerRecord, "enabled">) => (
  <span className={enabled ? "tag good" : "tag"}>{enabled ? "Open" : "Closed"}</span>
);

export const mcpKind: RecordScreen<McpServerRecord> = {
  collection: "mcpServers",
  operation: "mcp_server",
  tab: "mcp",
  one: "MCP server",
  many: "MCP servers",
  columns: [
    { id: "enabled", header: "State", cell: EnabledTag },
    {
      id: "scopes",
      header: "Scopes",
      look: "wide",
      cell: ({ scopes_supported: scopes }) => <PlainText text={scopes.join(" ")} limit={200} mono />,
    },
  ],
  fields: [
    nameField("assistant"),
    {
      kind: "record",
      name: "app_agent_id",
      label: "Agent as which it calls",
      hint: "Authorization is for decisions, ContXIQ for queries.",
      collection: "agents",
    },
    {
      kind: "record",
      name: "token_introspect_id",
      label: "Token introspect whose tokens it accepts",
      hint: "One for JWTs: clients are directed to its issuer.",
      collection: "introspects",
    },
    { kind: "list", name: "scopes_supported", label: "Scopes that clients ask for", each: "scope", most: 50 },
    { kind: "check", name: "enabled", label: "Open", hint: "Closed, its address answers 404." },
    ...describedFields,
  ],
  valuesOf: (record) => ({
    ...namedValues(record),
    app_agent_id: record?.app_agent_id ?? "",
    token_introspect_id: record?.token_introspect_id ?? "",
    scopes_supported: record?.scopes_supported ?? ["openid"],
    enabled: record?.enabled ?? true,
  }),
  bodyOf: (values, isNew) => ({
    ...namedBody(values, isNew),
    app_agent_id: textIn(values, "app_agent_id"),
    token_introspect_id: textIn(values, "token_introspect_id"),
    scopes_supported: listIn(values, "scopes_supported"),
    enabled: values["enabled"] === true,
  }),
  factsOf: (record) => [
    { label: "State", value: <EnabledTag enabled={record.enabled} /> },
    {
      label: "Calls as",
      value: (
        <ReferencedRecord
          projectId={record.project_id}
          collection="agents"
          tab="agents"
          id={record.app_agent_id}
        />
      ),
    },
    {
      label: "Accepts tokens of",
      value: (
        <ReferencedRecord
          projectId={record.project_id}
          collection="introspects"
          tab="introspects"
          id={record.token_introspect_id}
        />
      ),
    },
    { label: "Scopes", value: <PlainText text={record.scopes_supported.join(" ")} limit={500} mono /> },
  ],
  removal:
    "Its address answers 404 within two seconds, and AI agents that are connected lose their sessions.",
};
