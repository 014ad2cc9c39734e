import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";

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
}

interface Page {
  readonly items: readonly { readonly data: readonly AuditRecord[] }[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** A batch waits for more records; how long is the matter of the deployment. */
const keptWithinMs = 60_000;

/** Every record of a chain that is in a signed batch. */
export const auditRecords = async (project: string, by: Credentials): Promise<readonly AuditRecord[]> => {
  const records: AuditRecord[] = [];
  for (let cursor = ""; ;) {
    const path = `/audit/v1/logs?project_id=${encodeURIComponent(project)}&cursor=${cursor}`;
    const page = must<Page>(await withKey(path, by), 200);
    records.push(...page.items.flatMap(({ data }) => data));
    if (!page.has_more) return records;
    cursor = page.next_cursor;
  }
};

/** The records of a chain as soon as they are as wanted. */
export const auditRecordsWith = async (
  project: string,
  by: Credentials,
  missing: (records: readonly AuditRecord[]) => readonly string[],
): Promise<readonly AuditRecord[]> => {
  for (const until = performance.now() + keptWithinMs; ; await pause(250)) {
    const records = await auditRecords(project, by);
    const still = missing(records);
    if (still.length === 0) return records;
    if (performance.now() > until) throw new Error(`not within ${keptWithinMs} ms: ${still.join(", ")}`);
  }
};

const published: unknown = JSON.parse(
  readFileSync(new URL("../../docs/audit-records.schema.json", import.meta.url), "utf8"),
);

/** Types of records, as the published schema has them. */
export const auditTypes = (
  published as { anyOf: readonly { properties: { type: { const: string } } }[] }
).anyOf.map(({ properties }) => properties.type.const);

/** A record by the published JSON Schema. */
export const auditRecordSchema = z.fromJSONSchema(published as Parameters<typeof z.fromJSONSchema>[0]);
