import { projectKey } from "@ikg/physical";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { statementsOf } from "./policy-statements.ts";
import { readStatement } from "./read.ts";
import { writeStatements } from "./write/statements.ts";

/** A project that does not exist: its statements are only planned, never run. */
const nowhere = projectKey("00000000");

/**
 * Statements of a policy for the database to plan (`EXPLAIN`) before the policy is saved: the database has rules
 * of its own, such as what may be used next to an aggregate, and a policy that breaks them would fail on every call.
 */
export const trialStatements = (policy: Policy): readonly string[] =>
  statementsOf(policy, nowhere).map(({ text }) => text);

/**
 * Statements of a query for the database to plan before the query is saved: those whose text follows from what its
 * author wrote. Those of a writing query are its match and its projection; none of them writes.
 */
export const trialQuery = (query: KnowledgeQuery): readonly string[] => {
  const writing = writeStatements(query, nowhere);
  if (writing === undefined) return [readStatement(query, nowhere).text];
  return [writing.match.text, ...(writing.projection === undefined ? [] : [writing.projection.text])];
};
