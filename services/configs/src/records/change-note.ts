import { type Gid, omitUndefined, stringOrUndefined } from "@ikg/contracts";
import { lookUpProperties, type RecordLabelKind } from "@ikg/physical";
import type { AuditNote } from "@ikg/service";
import type { StoredRecord } from "./record.ts";

const credentials: ReadonlySet<string> = new Set([
  "application_agent_credential",
  "service_account_credential",
]);

type ChangeType =
  | `audit.config.${"create" | "update" | "delete"}`
  | `audit.credentials.${"create" | "delete"}`;

type Binding = NonNullable<AuditNote<"audit.config.create">["data"]["binding"]>;

/** What the audit record of a read says; without a record it was a list of all of them. */
export const readNote = (
  kind: RecordLabelKind,
  chain: Gid,
  record?: Pick<StoredRecord, "id" | "name" | "version">,
): AuditNote<"audit.config.read"> => ({
  type: "audit.config.read",
  chain,
  data: omitUndefined({ kind, id: record?.id, name: record?.name, version: record?.version }),
});

/** Who has which role, of a role binding. */
const bindingIn = ({ kind, data: { role, subject } }: StoredRecord) =>
  // As it was validated.
  kind === "role_binding" ? { role: String(role), subject: subject as Binding["subject"] } : undefined;

/**
 * What the audit record of a change says: never a value of a field, but of role bindings who has which role.
 *
 * @param fields names of the fields that were sent.
 * @param changeId the change record that has the texts.
 */
export const changeNote = (
  action: "create" | "update" | "delete",
  record: StoredRecord,
  fields?: readonly string[],
  changeId?: Gid,
): AuditNote<ChangeType> => {
  const { id, kind, name, version, columns, parentId } = record;
  const chain = record.projectId ?? record.organizationId;
  if (credentials.has(kind) && action !== "update") {
    const kid = stringOrUndefined(columns[lookUpProperties.kid]);
    const expire_time = stringOrUndefined(columns[lookUpProperties.expireTime]);
    return {
      type: `audit.credentials.${action}`,
      chain,
      data: omitUndefined({ id, kid, owner: parentId, expire_time }),
    };
  }
  const sent = fields === undefined ? undefined : [...fields];
  return {
    type: `audit.config.${action}`,
    chain,
    data: omitUndefined({
      kind,
      id,
      name,
      version,
      fields: sent,
      change_id: changeId,
      binding: bindingIn(record),
    }),
  };
};
