import type { AuditNote } from "@ikg/service";
import type { ImportRecord } from "./records.ts";

/** What the records of an import say: how many rows, of which kind. */
export const importNotes = (
  { id, projectId: chain, status }: Pick<ImportRecord, "id" | "projectId" | "status">,
  rows: { readonly nodes: number; readonly relationships: number },
): readonly AuditNote<"audit.capture.upsert.node" | "audit.capture.upsert.relationship">[] => {
  const outcome = status === "failed" || status === "cancelled" ? ({ outcome: "failed" } as const) : {};
  return (["node", "relationship"] as const).flatMap((kind) => {
    const count = rows[`${kind}s`];
    const data = { count, import_id: id };
    return count === 0 ? [] : [{ type: `audit.capture.upsert.${kind}` as const, chain, data, ...outcome }];
  });
};
