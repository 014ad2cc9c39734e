import type { ProjectKey } from "@ikg/physical";
import type { KbacPolicy } from "../policy/kbac.ts";
import { property } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { rowOf } from "../rewrite/values.ts";
import { nodeByKey, printClauses } from "./statement.ts";

/**
 * Prints the search for the resources that one policy grants to one subject.
 *
 * Takes `$__row`: `s` (key of the subject), `after` (the last id of the page before, "" at first), `limit`, and
 * `BoundValues`. One column `id`, distinct, ascending by code point. Nodes are made distinct before their id is
 * read, which is half the work (physical model, section 14).
 */
export const searchResourceStatement = (policy: KbacPolicy, pk: ProjectKey): string => {
  const { query, analysis } = policy.condition;
  const options = {
    pk,
    form: "plain" as const,
    bound: new Set(["subject"]),
    types: new Map([
      ["subject", policy.subjectType],
      ["resource", policy.resourceType],
    ]),
    keys: new Map(),
  };
  return [
    `MATCH ${nodeByKey("subject", policy.subjectType, pk, property(rowOf("plain"), "s"))}`,
    "WITH subject LIMIT 1",
    printClauses(rewrite(query, analysis.report, options)),
    "WITH DISTINCT resource",
    "WITH resource.external_id AS id WHERE id > $__row.after",
    "RETURN id ORDER BY id LIMIT $__row.limit",
  ].join("\n");
};
