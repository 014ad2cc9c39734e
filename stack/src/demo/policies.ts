/** What the archive allows: four KBAC policies for decisions, three CIQ policies for queries. */

export interface PolicyDefinition {
  readonly name: string;
  readonly description: string;
  readonly policy: Readonly<Record<string, unknown>>;
}

export const policies: readonly PolicyDefinition[] = [
  {
    name: "describe-film",
    description: "An archivist who cares for a collection may describe the films that it holds.",
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Archivist" },
      actions: ["DESCRIBE"],
      resource: { type: "Film" },
      condition: {
        cypher: "MATCH (subject:Archivist)-[:CARES_FOR]->(:Collection)-[:HOLDS]->(resource:Film)",
      },
    },
  },
  {
    name: "handle-reel",
    description:
      "Three hops from the archivist to the reel; nitrate only with a certificate that the fire brigade examined.",
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Archivist" },
      actions: ["HANDLE"],
      resource: { type: "Reel" },
      condition: {
        cypher: [
          "MATCH (subject:Archivist)-[:CARES_FOR]->(:Collection)-[:HOLDS]->(:Film)-[:IS_ON]->(resource:Reel)",
          "WHERE resource.property.base <> 'nitrate'",
          "   OR subject.property.nitrate_certificate.metadata.assurance_level >= 3",
        ].join("\n"),
      },
    },
  },
  {
    name: "lend-reel",
    description: "Only the keeper of a collection, and only with a token that was issued for lending.",
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Archivist" },
      actions: ["LEND"],
      resource: { type: "Reel" },
      condition: {
        cypher: [
          "MATCH (subject:Archivist)-[care:CARES_FOR]->(:Collection)-[:HOLDS]->(:Film)-[:IS_ON]->(resource:Reel)",
          "WHERE care.duty = 'keeper'",
        ].join("\n"),
        filter: {
          attribute: "$token.scope",
          operator: "CONTAINS",
          value: "reel:lend",
          advice: { error: "insufficient_scope", error_description: "lending takes the scope reel:lend" },
        },
      },
    },
  },
  {
    name: "project-reel",
    description:
      "A reel may run on a projector that still takes its shrinkage; the caller says what it takes.",
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Archivist" },
      actions: ["PROJECT"],
      resource: { type: "Reel" },
      condition: {
        cypher: [
          "MATCH (subject:Archivist)-[:CARES_FOR]->(:Collection)-[:HOLDS]->(:Film)-[:IS_ON]->(resource:Reel)",
          "WHERE resource.property.shrinkage <= $max_shrinkage",
        ].join("\n"),
      },
    },
  },
  {
    name: "own-reels",
    description: "Archivists read the reels of the collections they care for, and no others.",
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Archivist" },
      condition: {
        cypher: [
          "MATCH (subject:Archivist)-[care:CARES_FOR]->(:Collection)-[:HOLDS]->(film:Film)-[:IS_ON]->(reel:Reel)",
          "MATCH (reel)-[place:LIES_IN]->(vault:Vault)",
        ].join("\n"),
        filter: [{ attribute: "subject.external_id", operator: "=", value: "$token.sub" }],
      },
      allowed_reads: {
        nodes: ["film.property.title", "reel.*", "vault.property.name"],
        relationships: ["care.duty", "place.shelf"],
      },
    },
  },
  {
    name: "public-catalogue",
    description: "The reading room's application reads films whose rights have ended.",
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: {
        cypher: "MATCH (subject:_Application) MATCH (collection:Collection)-[:HOLDS]->(film:Film)",
        filter: [
          { attribute: "subject.external_id", operator: "=", value: "$_appId" },
          { attribute: "film.property.public_domain", operator: "=", value: true },
        ],
      },
      allowed_reads: { nodes: ["film.*", "collection.property.name"] },
    },
  },
  {
    name: "conservation-watch",
    description: "The application that plans conservation reads the state of every reel.",
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: {
        cypher: "MATCH (subject:_Application) MATCH (reel:Reel)-[:LIES_IN]->(vault:Vault)",
        filter: [{ attribute: "subject.external_id", operator: "=", value: "$_appId" }],
      },
      allowed_reads: { nodes: ["reel.*", "vault.property.name", "vault.property.temperature"] },
    },
  },
  {
    name: "staff-papers",
    description: "The application that plans shifts reads whose papers can be relied on.",
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: {
        cypher: "MATCH (subject:_Application) MATCH (archivist:Archivist)",
        filter: [{ attribute: "subject.external_id", operator: "=", value: "$_appId" }],
      },
      allowed_reads: { nodes: ["archivist.property.name", "archivist.trust_score.*"] },
    },
  },
];
