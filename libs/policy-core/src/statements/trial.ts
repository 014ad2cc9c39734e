import { projectKey } from "@ikg/physical";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { Needs } from "../values/needs.ts";
import { decideStatement, isRowable } from "./decide.ts";
import { readStatement } from "./read.ts";
import { searchResourceStatement } from "./search.ts";

/** A project that does not exist: what is tried is only planned, never run. */
const nowhere = projectKey("00000000");

const readingSubject = (policy: CiqPolicy): KnowledgeQuery => ({
  policy,
  nodes: [{ kind: "node", alias: "subject", text: "subject" }],
  relationships: [],
  aggregates: [],
  filter: undefined,
  batchRead: false,
  needs: new Needs(),
});

/**
 * Statements of a policy for the database to plan (`EXPLAIN`) before the policy is saved: the database has rules
 * of its own, such as what may stand beside an aggregate, and a policy that breaks them would fail on every call.
 */
export const trialStatements = (policy: Policy): readonly string[] =>
  policy.kind === "ciq"
    ? [readStatement(readingSubject(policy), nowhere).text]
    : [
        decideStatement([policy], nowhere, isRowable(policy) ? "row" : "plain").text,
        searchResourceStatement(policy, nowhere),
      ];

/** The statement of a query for the database to plan before the query is saved. */
export const trialRead = (query: KnowledgeQuery): string => readStatement(query, nowhere).text;
