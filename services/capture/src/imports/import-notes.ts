import type { AuditNote } from "@ikg/service";
import type { ImportRecord } from "./records.ts";

const kinds = ["node", "relationship"] as const;

/**
 * The audit notes of an import: one for each kind of rows, with their number. An import that failed before it wrote any has a
 * note as well; one that was cancelled by then has none, since nothing happened.
 *
 * @param rows numbers of rows: accepted ones of an import that is queued, written ones of an import that has ended.
 */
export const importNotes = (
  { id, projectId: chain, status }: Pick<ImportRecord, "id" | "projectId" | "status">,
  rows: { readonly nodes: number; readonly relationships: number },
): readonly AuditNote<"audit.capture.upsert.node" | "audit.capture.upsert.relationship">[] => {
  const counted = kinds.filter((kind) => rows[`${kind}s`] > 0);
  const noted = counted.length === 0 && status === "failed" ? (["node"] as const) : counted;
  const outcome = status === "failed" || status === "cancelled" ? ({ outcome: "failed" } as const) : {};
  const cancelled = status === "cancelled" ? ({ cancelled: true } as const) : {};
  return noted.map((kind) => ({
    type: `audit.capture.upsert.${kind}` as const,
    chain,
    data: { count: rows[`${kind}s`], import_id: id, ...cancelled },
    ...outcome,
  }));
};
