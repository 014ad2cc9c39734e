import { projectKey } from "@ikg/physical";
import { compilePolicy, type RequiredInputs, type Policy } from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import { trialQuery, trialStatements, writeStatements } from "../../src/statements/index.ts";

/** What a statement is for. A `write` statement changes something; nothing else may. */
export interface Printed {
  readonly text: string;
  readonly writes: boolean;
  /** What a reading statement reads from a request. */
  readonly needs?: RequiredInputs;
}

const reading = (text: string, needs: RequiredInputs): Printed => ({ text, writes: false, needs });
const writing = (text: string): Printed => ({ text, writes: true });

/**
 * A decision and the two searches, or a read of the subject. Where a decision has a row form, its plain form is left
 * to the tests that run it.
 */
export const statementsOf = (policy: Policy): readonly Printed[] =>
  trialStatements(policy).map((text) => reading(text, policy.needs));

/** The read, or the five steps of a write and the statement of them all. */
export const queryStatementsOf = (query: KnowledgeQuery): readonly Printed[] => {
  const steps = writeStatements(query, projectKey("00000000"));
  return [
    ...trialQuery(query).map((text) => reading(text, query.needs)),
    ...[steps?.atOnce ?? [], ...(steps?.nodes ?? []), ...(steps?.relationships ?? [])].flat().map(writing),
    ...(steps?.deletes ?? []).map(({ text }) => writing(text)),
  ];
};

/** What is printed for the text of a policy and of its queries, and why what was refused was refused. */
export const printedFor = (
  policy: string,
  queries: readonly string[] = [],
): { readonly statements: readonly Printed[]; readonly faults: readonly string[] } => {
  const checked = compilePolicy(policy);
  if (!checked.ok) return { statements: [], faults: checked.faults };
  const { value } = checked;
  const statements = [...statementsOf(value)];
  const faults: string[] = [];
  if (value.kind !== "ciq") return { statements, faults };
  for (const text of queries) {
    const query = compileQuery(text, value);
    if (query.ok) statements.push(...queryStatementsOf(query.value));
    else faults.push(...query.faults);
  }
  return { statements, faults };
};
