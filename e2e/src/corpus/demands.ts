import type { PolicyEntry, QueryEntry } from "./entry.ts";

const lists = new Set(["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"]);

/** True for a query that changes the graph when it runs. */
export const writes = ({ query }: QueryEntry): boolean =>
  Object.entries(query).some(([name, list]) => lists.has(name) && list.length > 0);

/** True for a policy that names its database; a project without a composite database cannot evaluate it. */
export const isRouted = ({ policy }: PolicyEntry): boolean => /\bUSE\b/.test(policy.condition.cypher);
