import type { PolicyToSave } from "./save-policy.ts";

/** The policy that persons may do this with the doors that they own. */
export const ownersMay = (...actions: readonly string[]): PolicyToSave => ({
  policy: {
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions,
    resource: { type: "Door" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Door)" },
  },
});
