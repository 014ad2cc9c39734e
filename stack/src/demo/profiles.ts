/** What the demo scores. */
import type { NewTrustScoreProfile } from "@ikg/client";

export const profiles: readonly NewTrustScoreProfile[] = [
  {
    name: "staff-papers",
    description: "How far what is known of an archivist can be trusted.",
    node_classification: "Archivist",
    schedule: "DAILY",
    dimensions: [
      { name: "VERIFICATION", weight: 1 },
      { name: "ORIGIN", weight: 0.5 },
      { name: "COMPLETENESS", weight: 0.5 },
    ],
  },
];
