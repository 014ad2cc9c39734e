/** The smallest texts that the configs service accepts. */
export const kbacText = (action = "READ"): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  });

export const ciqText = (): string =>
  JSON.stringify({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "Person" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(car:Car)" },
    allowed_reads: { nodes: ["car.property.price", "car.external_id"] },
  });

export const queryText = (): string => JSON.stringify({ nodes: ["car.property.price"] });
