import type { PolicyStatus } from "../draft/draft.ts";

const tones: Readonly<Record<PolicyStatus, string>> = { ACTIVE: "good", INACTIVE: "", DRAFT: "warn" };
export const statusTexts: Readonly<Record<PolicyStatus, string>> = {
  ACTIVE: "Active",
  INACTIVE: "Inactive",
  DRAFT: "Draft",
};

export const StatusTag = ({ status }: { readonly status: PolicyStatus }) => (
  <span className={`tag ${tones[status]}`}>{statusTexts[status]}</span>
);
