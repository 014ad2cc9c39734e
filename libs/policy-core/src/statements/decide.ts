import type { ProjectKey } from "@ikg/physical";
import type { KbacPolicy } from "../policy/kbac.ts";
import { property } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { rowName, rowOf, type ValueForm } from "../rewrite/values.ts";
import { printExpression } from "../cypher/printer.ts";
import { indent, nodeByKey, printClauses } from "./statement.ts";

/** One text that decides for every candidate of a (project, subject type, resource type, action) at once. */
export interface DecideStatement {
  readonly text: string;
  readonly form: ValueForm;
  /** The candidates in the order of the CASE: `granted` is the index of the first that grants, -1 for none. */
  readonly policies: readonly KbacPolicy[];
}

const ends: ReadonlySet<string> = new Set(["subject", "resource"]);

const candidateText = (policy: KbacPolicy, pk: ProjectKey, form: ValueForm): string => {
  const { query, analysis } = policy.condition;
  const types = new Map([
    ["subject", policy.subjectType],
    ["resource", policy.resourceType],
  ]);
  return printClauses(rewrite(query, analysis.report, { pk, form, bound: ends, types, keys: new Map() }));
};

const bothEnds = "subject IS NOT NULL AND resource IS NOT NULL";

/**
 * Prints the decision of several candidates, which all name the same types (physical model, section 14).
 *
 * Both ends are bound once per row and shared by the candidates; a CASE tells which granted. A candidate that
 * aggregates stands in a CALL of its own, because the database takes no aggregation inside EXISTS.
 *
 * @param form `row`: `UNWIND $rows AS __row`, columns `i` and `granted`; `plain`: one request in `$__row`.
 *   A row holds `i`, `s` and `r` (keys of the ends), `c0`, `c1`, … (does candidate n take part) and `BoundValues`.
 */
export const decideStatement = (
  policies: readonly KbacPolicy[],
  pk: ProjectKey,
  form: ValueForm,
): DecideStatement => {
  const [first] = policies;
  if (first === undefined) throw new Error("a decision needs a candidate");
  const value = (key: string): string => printExpression(property(rowOf(form), key));
  const calls: string[] = [];
  const cases = policies.map((policy, index) => {
    const text = candidateText(policy, pk, form);
    if (!policy.condition.analysis.report.aggregates) {
      return `WHEN ${value(`c${index}`)} AND EXISTS {\n${indent(`${text}\nRETURN 1 AS __one`)}\n} THEN ${index}`;
    }
    const imports = form === "row" ? `${rowName}, subject, resource` : "subject, resource";
    const body = `WITH * WHERE ${value(`c${index}`)} AND ${bothEnds}\n${text}\nRETURN true AS __granted${index} LIMIT 1`;
    calls.push(`OPTIONAL CALL (${imports}) {\n${indent(body)}\n}`);
    return `WHEN __granted${index} THEN ${index}`;
  });
  const text = [
    ...(form === "row" ? [`UNWIND $rows AS ${rowName}`] : []),
    `OPTIONAL MATCH ${nodeByKey("subject", first.subjectType, pk, property(rowOf(form), "s"))}`,
    `OPTIONAL MATCH ${nodeByKey("resource", first.resourceType, pk, property(rowOf(form), "r"))}`,
    ...calls,
    `RETURN ${value("i")} AS i, CASE`,
    indent("WHEN subject IS NULL OR resource IS NULL THEN -1"),
    ...cases.map(indent),
    "  ELSE -1 END AS granted",
  ].join("\n");
  return { text, form, policies };
};

/** True when the candidate can be decided for many requests in one statement (README decision 23). */
export const isRowable = (policy: KbacPolicy): boolean => !policy.condition.analysis.report.plainOnly;
