import type { NodeSummary } from "@ikg/client";
import type { Column } from "../../output/print.ts";

/** Table columns of a node. */
export const nodeColumns: readonly Column<NodeSummary>[] = [
  { header: "TYPE", value: ({ type }) => type },
  { header: "ID", value: ({ external_id }) => external_id, whole: true },
  { header: "LABELS", value: ({ labels }) => labels.join(", ") },
  { header: "UPDATED", value: ({ update_time }) => update_time },
];
