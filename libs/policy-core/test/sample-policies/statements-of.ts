import { projectKey } from "@ikg/physical";
import { compilePolicy, type RequiredInputs, type Policy } from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import { statementsOf, trialQuery, writeStatements } from "../../src/statements/index.ts";

/** A statement that changes something `writes`; nothing else may. */
export interface Printed {
  readonly purpose: string;
  readonly text: string;
  readonly writes: boolean;
  /** What a reading statement reads from a request. */
  readonly needs?: RequiredInputs;
}

const reading = (purpose: string, text: string, needs: RequiredInputs): Printed => ({
  purpose,
  text,
  writes: false,
  needs,
});
const writing = (text: string): Printed => ({ purpose: "write", text, writes: true });

/**
 * A decision and the two searches, or a read of the subject. Where a decision has a row form, its plain form is left
 * to the tests that run it.
 */
const policyStatementsOf = (policy: Policy): readonly Printed[] =>
  statementsOf(policy, projectKey("00000000")).map(({ purpose, text }) =>
    reading(purpose, text, policy.needs),
  );

/** The read, or the five steps of a write and the statement of them all. */
export const queryStatementsOf = (query: KnowledgeQuery): readonly Printed[] => {
  const steps = writeStatements(query, projectKey("00000000"));
  return [
    ...trialQuery(query).map((text) => reading("read", text, query.needs)),
    ...[steps?.atOnce ?? [], ...(steps?.nodes ?? []), ...(steps?.relationships ?? [])].flat().map(writing),
    ...(steps?.deletes ?? []).map(({ text }) => writing(text)),
  ];
};

export interface PrintedTexts {
  readonly statements: readonly Printed[];
  /** Why what was refused was refused. */
  readonly faults: readonly string[];
  /** Texts of the accepted queries that write. */
  readonly writing: readonly string[];
}

/** What is printed for the text of a policy and of its queries. */
export const printedFor = (policy: string, queries: readonly string[] = []): PrintedTexts => {
  const checked = compilePolicy(policy);
  if (!checked.ok) return { statements: [], faults: checked.faults, writing: [] };
  const { value } = checked;
  const statements = [...policyStatementsOf(value)];
  const faults: string[] = [];
  const writing: string[] = [];
  if (value.kind !== "ciq") return { statements, faults, writing };
  for (const text of queries) {
    const query = compileQuery(text, value);
    if (query.ok) statements.push(...queryStatementsOf(query.value));
    else faults.push(...query.faults);
    if (query.ok && query.value.writes !== undefined) writing.push(text);
  }
  return { statements, faults, writing };
};
