import type { RecordStatus } from "./record-draft.ts";

const tones: Readonly<Record<RecordStatus, string>> = { ACTIVE: "good", INACTIVE: "", DRAFT: "warn" };
export const statusTexts: Readonly<Record<RecordStatus, string>> = {
  ACTIVE: "Active",
  INACTIVE: "Inactive",
  DRAFT: "Draft",
};

export const StatusTag = ({ status }: { readonly status: RecordStatus }) => (
  <span className={`tag ${tones[status]}`}>{statusTexts[status]}</span>
);
