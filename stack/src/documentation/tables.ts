/** The tables of the documentation, made from what they describe. */
import { operations, type ProblemCode, problems } from "@ikg/contracts";
import { BaseSettings, settingRows } from "@ikg/service";
import type { z } from "zod";
import { generators, otherGenerated } from "../testing/runner/generators.ts";
import { decisionTable } from "./decision-table.ts";
import { type MetricRow, metricRows, processRows } from "./metric-rows.ts";
import { policyTables } from "./policy-tables.ts";
import { recordTables } from "./record-tables.ts";
import { roleTable } from "./role-table.ts";
import { serviceSettings } from "../services/service-settings.ts";
import { table } from "./table.ts";

/** When each error is answered, and what a caller or operator does about it. */
const causes: Readonly<Record<ProblemCode, string>> = {
  malformed_body: "The body is no JSON object, is nested too deeply, or is not sent as `application/json`.",
  invalid_request:
    "A field of a data-plane request, or a query parameter, has the wrong form; `errors` names each.",
  malformed_bearer:
    "More than one `Authorization` header, nothing or no token after `Bearer`, or a client key in `X-SVC-ClientKey` and as a bearer; `errors` says which.",
  client_key_invalid:
    "The key in `X-SVC-ClientKey`, or sent as `Authorization: Bearer`, is missing, malformed, unknown, revoked or expired.",
  service_account_required: "A call that only administrators may make, without a bearer.",
  service_account_invalid: "The service account's token is unknown, revoked or expired.",
  internal_context_invalid:
    "A service was called without the gateway, or gateway and service have different keys or clocks; its log says which. Nothing was changed.",
  bearer_required:
    "The query's subject is a person, or its policy has a `token_filter`, and no bearer was sent.",
  bearer_invalid:
    "The token of an end user, or of a person who administers, is expired, forged, or of no known issuer and audience.",
  token_filter_failed:
    "The token does not satisfy the policy's `token_filter`, or a person who administers did not sign in strongly or recently enough (`OIDC_ACR_VALUES`, `OIDC_MAX_AGE_SECONDS`); `WWW-Authenticate` says what would do.",
  permission_missing: "The agent's `api_permissions` lack the one that the message names.",
  role_read_only: "A service account whose only role is `all_viewer` tried to write.",
  role_missing:
    "A service account or a person has no role that allows the operation, or none over the project or organization that it is about, or gives an agent a permission beyond the roles of its own; docs/roles.md says which roles do.",
  subject_mismatch: "A `3.0-kbac` policy takes part and the bearer belongs to another subject.",
  not_found:
    "Unknown path, record or query; also what belongs to another project, and a project without an active graph.",
  method_not_allowed: "The path exists with other methods; `Allow` lists them.",
  request_timeout:
    "A query ran past its time limit and was rolled back; or headers or a body came too slowly.",
  conflict:
    "A name or identity is taken, a record is still used, a limit of live credentials is reached, an import has ended already, or a graph was moved during its export.",
  precondition_failed: "`If-Match` names a state that is not the current one; nothing was changed.",
  body_too_large:
    "More than 2 MiB, for change sets and simulations more than 4 MiB, for capture more than 10 MiB.",
  unprocessable: "The request is well formed but cannot be carried out; `errors` names every reason.",
  precondition_required: "`CONFIG_REQUIRE_IF_MATCH` is on, and a PUT or DELETE came without `If-Match`.",
  input_param_missing: "A policy or query needs input parameters that are missing or of the wrong kind.",
  too_many_requests:
    "A project, a credential, an address or a connection has reached a limit; `errors` names it, `docs/limits.md` lists all.",
  internal: "A bug, or a statement that the database refused; the log has the cause under the request id.",
  partly_written:
    "One database of a composite project was written, the next one failed. Repeat the batch; writes are idempotent.",
  commit_unknown:
    "The connection broke while a write was being committed: it may have been carried out. Repeat it; writes are idempotent.",
  upstream_unreachable: "The gateway lost the service during a GET.",
  unavailable:
    "Graph, Redis or an issuer is unavailable, a project's own database is of a schema version that is not understood (`errors` names it), a decision took too long, or a process is full (`errors` names the limit); `Retry-After` says when to retry.",
  credential_not_judged:
    "The credential store is unavailable, or too many look-ups wait; the credential was not verified.",
  upstream_too_slow: "A GET took longer than the gateway waits.",
};

const settings = (schema: z.ZodObject, base: boolean): string => {
  const shared = new Set(settingRows(BaseSettings).map(({ name }) => name));
  return table(
    ["name", "default", "what it does"],
    settingRows(schema)
      .filter(({ name }) => base || !shared.has(name))
      .map((setting) => [
        `\`${setting.name}\``,
        setting.required ? "required" : setting.default === "" ? "" : `\`${setting.default}\``,
        `${setting.description}${setting.secret ? " Secret." : ""}`,
      ]),
  );
};

const credentialNames = {
  client_key: "application agent's key",
  administrator: "administrator",
  either: "application agent's key, or administrator",
} as const;

const metrics = (rows: readonly MetricRow[]): string =>
  table(
    ["name", "kind", "labels", "services", "what it counts"],
    rows.map(({ name, kind, labels, services, help }) => [
      `\`${name}\``,
      kind,
      labels.map((label) => `\`${label}\``).join(", "),
      services.length === 0 ? "all" : services.join(", "),
      help,
    ]),
  );

const generatedFiles = (): string =>
  table(
    ["file", "written from", "command"],
    [
      ...generators.map(({ writes, from, variable }) => [
        writes,
        from,
        variable === "UPDATE_PRINTED" ? "`npm run generate -- --printed`" : "`npm run generate`",
      ]),
      ...otherGenerated.map(({ writes, from, command }) => [writes, from, command]),
    ],
  );

/** Tables by the name that marks their place in a page. */
export const tables: Readonly<Record<string, () => string>> = {
  errors: () =>
    table(
      ["status", "code", "message", "when"],
      Object.entries(problems).map(([code, { status, message }]) => [
        String(status),
        `\`${code}\``,
        message,
        causes[code as ProblemCode], // the keys of the catalogue
      ]),
    ),
  endpoints: () =>
    table(
      ["endpoint", "operation", "credential", "permission"],
      operations.map(({ operation, method, path, access }) => [
        `\`${method.toUpperCase()} ${path}\``,
        `\`${operation}\``,
        credentialNames[access.credential],
        access.credential === "administrator" ? "" : access.permission,
      ]),
    ),
  "decision records": decisionTable,
  "generated files": generatedFiles,
  "roles and operations": roleTable,
  "settings of every service": () => settings(BaseSettings, true),
  "settings of the gateway": () => settings(serviceSettings.gateway, false),
  "settings of configs": () => settings(serviceSettings.configs, false),
  "settings of capture": () => settings(serviceSettings.capture, false),
  "settings of access": () => settings(serviceSettings.access, false),
  "settings of ciq": () => settings(serviceSettings.ciq, false),
  "settings of mcp": () => settings(serviceSettings.mcp, false),
  "settings of the trust scorer": () => settings(serviceSettings["trust-scorer"], false),
  "settings of audit": () => settings(serviceSettings.audit, false),
  metrics: () => metrics(metricRows()),
  "metrics of the process": () => metrics(processRows()),
  ...recordTables,
  ...policyTables,
};

const place = /<!-- table: ([a-z ]+) -->\n[\s\S]*?<!-- end -->/g;

/** The page with every marked table as it is now. */
export const withTables = (page: string): string =>
  page.replaceAll(place, (_, name: string) => {
    const make = tables[name];
    if (make === undefined) throw new Error(`no table is called "${name}"`);
    return `<!-- table: ${name} -->\n\n${make()}\n\n<!-- end -->`;
  });
