import { stringOrUndefined } from "@ikg/contracts";
import type { Row } from "@ikg/graph";

/** One record as the load statement returns it; only the configs service writes records, so it is trusted. */
export interface StoredRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly createTime: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Absent when the reader has this version already. */
  readonly text: string | undefined;
  readonly policyKind: string | undefined;
  /** Read for queries only. */
  readonly displayName: string | undefined;
  readonly description: string | undefined;
}

/** Everything of one project that services work with. */
export interface StoredProject {
  readonly project: Row;
  readonly policies: readonly StoredRow[];
  readonly queries: readonly StoredRow[];
  readonly introspects: readonly StoredRow[];
  readonly resolvers: readonly StoredRow[];
  readonly mcpServer: Row | undefined;
}

/** Identifies one state of a record. */
export const revisionKey = ({ id, version }: Pick<StoredRow, "id" | "version">): string => `${id}@${version}`;

const byAge = (a: StoredRow, b: StoredRow): number =>
  a.createTime < b.createTime ? -1 : a.createTime > b.createTime ? 1 : a.id < b.id ? -1 : 1;

/** Rows of one collection in the order of their making, so that every process sees the same order. */
export const storedRows = (value: unknown): StoredRow[] =>
  // A list of map projections, as the load statement makes it.
  (value as readonly Row[])
    .map((row) => ({
      id: String(row["id"]),
      name: String(row["name"]),
      version: Number(row["version"]),
      createTime: String(row["create_time"]),
      data: JSON.parse(stringOrUndefined(row["data"]) ?? "{}") as Record<string, unknown>,
      text: stringOrUndefined(row["text"]),
      policyKind: stringOrUndefined(row["policy_kind"]),
      displayName: stringOrUndefined(row["display_name"]),
      description: stringOrUndefined(row["description"]),
    }))
    .sort(byAge);
