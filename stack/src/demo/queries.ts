/** Three stored questions; each reads no more than its policy allows. */

export interface QueryDefinition {
  readonly name: string;
  readonly description: string;
  /** name of its CIQ policy */
  readonly policy: string;
  readonly query: Readonly<Record<string, unknown>>;
}

export const queries: readonly QueryDefinition[] = [
  {
    name: "my-reels",
    description: "The reels in the care of the person whose token is sent.",
    policy: "own-reels",
    query: {
      nodes: [
        "reel.external_id",
        "film.property.title",
        "reel.property.base",
        "reel.property.shrinkage",
        "reel.property.shrinkage.metadata.source",
        "vault.property.name",
      ],
      relationships: ["care.duty", "place.shelf"],
    },
  },
  {
    name: "public-films",
    description: "What the reading room may show to every visitor.",
    policy: "public-catalogue",
    query: {
      nodes: ["film.external_id", "film.property.title", "film.property.year", "collection.property.name"],
    },
  },
  {
    name: "shrunken-reels",
    description: "Reels that have shrunk by more than a limit, in percent, and how warm they lie.",
    policy: "conservation-watch",
    query: {
      nodes: [
        "reel.external_id",
        "reel.property.base",
        "reel.property.shrinkage",
        "reel.property.shrinkage.metadata.verified_time",
        "vault.property.name",
        "vault.property.temperature",
      ],
      filter: { attribute: "reel.property.shrinkage", operator: ">", value: "$limit" },
    },
  },
  {
    name: "complete-papers",
    description:
      "Archivists of whom everything is known that is known of most, and how far it can be trusted.",
    policy: "staff-papers",
    query: {
      nodes: [
        "archivist.property.name",
        "archivist.trust_score._final_score",
        "archivist.trust_score._verification",
        "archivist.trust_score._origin",
        "archivist.trust_score._completeness",
      ],
      filter: { attribute: "archivist.trust_score._completeness", operator: "=", value: 1 },
    },
  },
];
