import type { Entry } from "./entry.ts";

const writes = new Set(["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"]);

/**
 * What an entry needs that the product does not carry out yet; undefined: nothing. Such an entry must be refused
 * by name (422) and never be passed through.
 */
export const notYet = (entry: Entry): string | undefined => {
  if (entry.kind === "query") {
    const lists = Object.entries(entry.query).filter(([name, list]) => writes.has(name) && list.length > 0);
    return lists.length > 0 ? "writing query" : undefined;
  }
  const clause = /\b(USE|CALL)\b/.exec(entry.policy.condition.cypher)?.[1];
  return clause === undefined ? undefined : `${clause} clause`;
};
