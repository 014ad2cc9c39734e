/** What the demo scores. */

export interface ProfileDefinition {
  readonly name: string;
  readonly description: string;
  readonly node_classification: string;
  readonly schedule: string;
  readonly dimensions: readonly { readonly name: string; readonly weight: number }[];
}

export const profiles: readonly ProfileDefinition[] = [
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
