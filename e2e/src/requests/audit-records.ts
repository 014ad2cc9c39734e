import { readFileSync } from "node:fs";
import type { Audit } from "@ikg/client";
import { z } from "zod";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import type { Account } from "./account.ts";
import { openAdmin, openIkg } from "./clients.ts";
import type { Credentials } from "./data-plane.ts";

/** An audit record as the logs show it. */
export interface AuditRecord {
  readonly id: string;
  readonly type: string;
  readonly project_id: string;
  readonly outcome: string;
  readonly status?: number;
  readonly actor: { readonly type: string; readonly id: string };
  readonly on_behalf_of?: { readonly sub: string };
  readonly request?: { readonly id: string; readonly ip?: string };
  readonly data: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A batch waits for more records; how long is the matter of the deployment. */
const keptWithinMs = 60_000;

const recordsOf = async (audit: Audit): Promise<readonly AuditRecord[]> =>
  // As the published schema has them.
  (await audit.batches().toArray()).flatMap(({ data }) => data as unknown as readonly AuditRecord[]);

/** What `read` answers as soon as nothing is missing. */
const recordsWith = async (
  read: () => Promise<readonly AuditRecord[]>,
  missing: (records: readonly AuditRecord[]) => readonly string[],
): Promise<readonly AuditRecord[]> => {
  const { records } = await eventually(
    async () => {
      const records = await read();
      return { missing: missing(records), records };
    },
    (result) => result.missing.length === 0,
    { withinMs: keptWithinMs, everyMs: 250 },
  );
  return records;
};

/** The records of a project's chain as soon as they are as wanted. */
export const auditRecordsWith = (
  project: string,
  by: Pick<Credentials, "key">,
  missing: (records: readonly AuditRecord[]) => readonly string[],
): Promise<readonly AuditRecord[]> => recordsWith(() => recordsOf(openIkg(by).audit(project)), missing);

/** The records of a chain that an account may read, as soon as they are as wanted. */
export const auditRecordsOf = (
  account: Account,
  chain: string,
  missing: (records: readonly AuditRecord[]) => readonly string[],
): Promise<readonly AuditRecord[]> => recordsWith(() => recordsOf(openAdmin(chain, account).audit), missing);

/** The records of an organization's chain as soon as one is of this type. */
export const organizationRecordsWith = (account: Account, type: string) =>
  auditRecordsOf(account, account.organizationId, (records) =>
    records.some((record) => record.type === type) ? [] : [type],
  );

const published: unknown = JSON.parse(
  readFileSync(new URL("../../../docs/audit-records.schema.json", import.meta.url), "utf8"),
);

/** Types of records, as the published schema has them. */
export const auditTypes = (
  published as { anyOf: readonly { properties: { type: { const: string } } }[] }
).anyOf.map(({ properties }) => properties.type.const);

/** A record by the published JSON Schema. */
export const auditRecordSchema = z.fromJSONSchema(published as Parameters<typeof z.fromJSONSchema>[0]);
