/** Queries about the films that an archivist cares for. */
import { compileCiq } from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import { policyOf } from "../rules/versions.ts";

/**
 * A query by a policy with this condition.
 *
 * @param json of the query
 * @param more fields of the policy, by default those that allow reads
 * @throws Error with the faults
 */
export const queryOf = (cypher: string, json: object, more: object = {}): KnowledgeQuery => {
  const policy = compileCiq(
    JSON.stringify(
      policyOf(
        "1.0-ciq",
        { cypher },
        { allowed_reads: { nodes: ["film.*"], relationships: ["care"] }, ...more },
      ),
    ),
  );
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  const checked = compileQuery(JSON.stringify(json), policy.value);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};
