import type { ProjectKey } from "@ikg/physical";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { RequiredInputs } from "../values/reference.ts";
import { candidateKey, requestKeys } from "../values/row-keys.ts";
import { decideStatement, isBatchable } from "./decide.ts";
import type { DecisionSwitches } from "./ends.ts";
import { readStatement } from "./read.ts";
import { searchStatement } from "./search.ts";

/** A statement that a service sends for a policy or query, and what it is for. */
export interface PurposedStatement {
  readonly purpose: string;
  readonly text: string;
  /** Members of the row that it takes besides values of the request; undefined for one that is never run for a preview. */
  readonly takes: readonly string[] | undefined;
  /** `rows`: it takes a list of rows as `$rows`; `row`: one as `$__row`. */
  readonly form: "rows" | "row";
}

/** What a read of a page takes. */
export const readKeys: readonly string[] = [requestKeys.subject, "skip", "take"];

const readingSubject = (policy: CiqPolicy): KnowledgeQuery => ({
  policy,
  nodes: [{ kind: "node", alias: "subject", text: "subject" }],
  relationships: [],
  aggregates: [],
  filter: undefined,
  writes: undefined,
  batchRead: false,
  needs: new RequiredInputs(),
});

/**
 * Statements of a policy: its decision and both searches, by the functions that the access service calls for a policy that is the
 * only candidate; of a CIQ policy, which no service sends by itself, the pattern that its queries match.
 */
export const statementsOf = (
  policy: Policy,
  pk: ProjectKey,
  switches: DecisionSwitches = {},
): readonly PurposedStatement[] => {
  if (policy.kind === "ciq") {
    const { text } = readStatement(readingSubject(policy), pk);
    return [{ purpose: "match", text, takes: readKeys, form: "row" }];
  }
  const batchable = isBatchable(policy);
  const { index, subject, resource } = requestKeys;
  return [
    {
      purpose: "decision",
      text: decideStatement([policy], pk, batchable ? "row" : "plain", switches).text,
      takes: [index, subject, resource, candidateKey(0)],
      form: batchable ? "rows" : "row",
    },
    {
      purpose: "subject search",
      text: searchStatement(policy, pk, "subject", switches),
      takes: [resource, "after", "limit"],
      form: "row",
    },
    {
      purpose: "resource search",
      text: searchStatement(policy, pk, "resource", switches),
      takes: [subject, "after", "limit"],
      form: "row",
    },
  ];
};
