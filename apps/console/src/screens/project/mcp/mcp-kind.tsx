import type { McpServerRecord } from "@ikg/client";
import { PlainText } from "../../../components/plain-text.tsx";
import { listIn, textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordKindView } from "../records/record-kind-view.ts";
import { ReferencedRecord } from "../records/referenced-record.tsx";

const EnabledTag = ({ enabled }: Pick<McpServerRecord, "enabled">) => (
  <span className={enabled ? "tag good" : "tag"}>{enabled ? "Enabled" : "Disabled"}</span>
);

export const mcpKind: RecordKindView<McpServerRecord> = {
  collection: "mcpServers",
  operation: "mcp_server",
  tab: "mcp",
  singular: "MCP server",
  plural: "MCP servers",
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
      label: "Agent",
      hint: "The server calls as this agent: decisions need Authorization, queries need ContXIQ.",
      collection: "agents",
    },
    {
      kind: "record",
      name: "token_introspect_id",
      label: "Token introspection",
      hint: "It must be for JWTs: its tokens are accepted, and clients are directed to its issuer.",
      collection: "introspects",
    },
    { kind: "list", name: "scopes_supported", label: "Scopes that clients ask for", item: "scope", max: 50 },
    { kind: "check", name: "enabled", label: "Enabled", hint: "While disabled, the endpoint returns 404." },
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
      label: "Agent",
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
      label: "Token introspection",
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
  removal: "Its endpoint returns 404 within two seconds, and connected AI agents lose their sessions.",
};
