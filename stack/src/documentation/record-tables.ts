/** Tables of what each collection of configuration records takes and shows, made from its description. */
import { type Field, type RecordDescription, recordDescriptions } from "@ikg/contracts";
import type { z } from "zod";
import { table } from "./table.ts";

/** Fields that no caller sends. */
const made: Readonly<Record<string, string>> = {
  id: "gid",
  create_time: "RFC 3339 in UTC",
  created_by: "gid of a service account, or issuer and subject of a person",
  update_time: "RFC 3339 in UTC; equal to `create_time` after create",
  updated_by: "gid of a service account, or issuer and subject of a person",
  organization_id: "gid of the organization",
  project_id: "gid of the project",
  application_id: "gid of the application",
  last_used:
    "day (UTC) of the last request with its token, `2026-01-31`; absent: in none of the last 400 days, or not known",
  kid: "public id of the credential, part of its token",
  effective_limits: "every limit in force: what `limits` states, or the installation's value",
  ikg_status: "PENDING while its own database is being prepared, ACTIVE, FAILED",
  ikg_status_reason: "why it is FAILED",
  last_run_id: '`""` before the first run',
  last_run_start_time: '`""` before the first run',
  last_run_end_time: '`""` before the first run',
  current_run: "`{run_id, start_time, scored, total}` while a run goes on",
  dimensions_execution_times: "name to `{execution_start_time, execution_end_time}`",
  application_agent_config: "`{baseUrl, appSpaceId, applicationId, appAgentId, token}`",
  service_account_config: "`{baseUrl, serviceAccountId, token}`",
};

const ruleOfMade = (name: string): string => {
  const rule = made[name];
  if (rule === undefined) throw new Error(`no rule for ${name}`);
  return rule;
};

const onCreate = ({ create, default: value }: Field): string =>
  create === "defaulted" ? `optional, \`${JSON.stringify(value)}\`` : create;

const onUpdate = ({ create, update, emptyRemoves, default: value }: Field): string => {
  switch (update) {
    case "required":
      return "required";
    case "fixed":
      return "cannot be changed";
    case "ignored":
      return "ignored";
    case "kept":
      return emptyRemoves === true ? 'absent keeps, `""` removes' : "absent keeps";
    case "replaced":
      return create === "defaulted" ? `absent: \`${JSON.stringify(value)}\`` : "absent removes";
  }
};

const onRead = (name: string, field: Field | undefined, schema: z.ZodType | undefined): string => {
  if (field?.storedIn === "text") return '`""` in lists without `full_fetch=true`';
  if (field?.read !== undefined) return field.read;
  if (schema === undefined)
    throw new Error(`the record schema has no ${name}, and the field has no \`read\``);
  const always = !schema.safeParse(undefined).success;
  const when = always ? "yes" : "if set";
  return field?.maskForRead === undefined ? when : `${when}, without secrets`;
};

const rowsOf = ({ fields, record, update }: RecordDescription): string[][] => {
  const { shape } = record;
  const given = Object.entries(fields).map(([name, field]) => [
    `\`${name}\``,
    onCreate(field),
    update === undefined ? "-" : onUpdate(field),
    field.rule,
    onRead(name, field, shape[name]),
  ]);
  const others = Object.entries(shape)
    .filter(([name]) => !(name in fields))
    .map(([name, schema]) => [
      `\`${name}\``,
      "-",
      "-",
      ruleOfMade(name),
      name.endsWith("_config") ? "once, in the answer to the POST" : onRead(name, undefined, schema),
    ]);
  return [...given, ...others];
};

/** One table per collection, called `fields of <its path in words>`. */
export const recordTables: Readonly<Record<string, () => string>> = Object.fromEntries(
  recordDescriptions.map((description) => [
    `fields of ${description.path.slice(1).replaceAll("-", " ")}`,
    () => table(["field", "create", "update", "rule", "read"], rowsOf(description)),
  ]),
);
