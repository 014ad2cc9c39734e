import { compileCiq } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import type { Json } from "./ciq-under-test.ts";
import { anyCost } from "./drawn-cases.ts";

/**
 * True for a policy or query that is refused for what it would cost with the largest values, and for nothing else: it is never
 * saved, so the service is never asked. Policy-core's tests hold the costs.
 */
export const isRefusedForCost = (policy: Json, query: Json): boolean => {
  const text = JSON.stringify({ meta: { policy_version: "1.0-ciq" }, ...policy });
  const [limited, unlimited] = [compileCiq(text), compileCiq(text, anyCost)];
  if (!limited.ok) return unlimited.ok;
  const queryText = JSON.stringify(query);
  return !compileQuery(queryText, limited.value).ok && compileQuery(queryText, limited.value, anyCost).ok;
};
