import type { ApplicationAgentRecord } from "@ikg/client";
import { listIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordKindView } from "../records/record-kind-view.ts";
import { permissionChoices } from "./permissions.ts";
import { PermissionList } from "./permission-list.tsx";

export const agentKind: RecordKindView<ApplicationAgentRecord> = {
  collection: "agents",
  operation: "application_agent",
  tab: "agents",
  singular: "agent",
  plural: "agents",
  columns: [],
  fields: [
    nameField("shop-server"),
    { kind: "choices", name: "api_permissions", label: "Permissions", choices: permissionChoices },
    ...describedFields,
  ],
  valuesOf: (record) => ({
    ...namedValues(record),
    api_permissions: record?.api_permissions ?? ["Authorization"],
  }),
  bodyOf: (values, isNew) => ({
    ...namedBody(values, isNew),
    api_permissions: listIn(values, "api_permissions"),
  }),
  factsOf: ({ api_permissions: permissions }) => [
    { label: "Permissions", value: <PermissionList permissions={permissions} withHints /> },
  ],
  removal: "Its keys are removed. Calls with one of them are refused within two seconds.",
};
