import type { Analysis } from "../bindings/report.ts";
import type { Expression, Query } from "../cypher/ast.ts";
import { conjuncts } from "../cypher/conjuncts.ts";
import type { Filter } from "../filters/filter.ts";

const isGiven = (expression: Expression, analysis: Analysis): boolean =>
  ["string", "integer", "float", "boolean"].includes(expression.kind) ||
  analysis.report.references.has(expression);

const isSubjectValue = (expression: Expression, analysis: Analysis): boolean => {
  const path = analysis.report.paths.get(expression);
  return (
    path?.kind === "node-path" &&
    path.root.kind === "variable" &&
    path.root.name === "subject" &&
    (path.path.kind === "property" || (path.path.kind === "system" && path.path.field === "external_id"))
  );
};

const constrains = (expression: Expression, analysis: Analysis): boolean => {
  if (expression.kind !== "comparison") return false;
  const [step, ...more] = expression.rest;
  if (step === undefined || more.length > 0 || step.operator !== "=") return false;
  const { first } = expression;
  return (
    (isSubjectValue(first, analysis) && isGiven(step.operand, analysis)) ||
    (isSubjectValue(step.operand, analysis) && isGiven(first, analysis))
  );
};

const inText = (query: Query, analysis: Analysis): boolean =>
  query.clauses.some((clause) => {
    if (clause.kind === "with") return conjuncts(clause.where).some((each) => constrains(each, analysis));
    if (clause.kind !== "match" || clause.optional) return false;
    if (conjuncts(clause.where).some((each) => constrains(each, analysis))) return true;
    return clause.patterns.some((path) =>
      path.elements.some(
        (element) =>
          element.kind === "node" &&
          element.variable === "subject" &&
          ((element.properties?.entries.some(
            (entry) => !["type", "id"].includes(entry.key) && isGiven(entry.value, analysis),
          ) ??
            false) ||
            conjuncts(element.where).some((each) => constrains(each, analysis))),
      ),
    );
  });

const inFilter = (filter: Filter | undefined): boolean => {
  if (filter === undefined) return false;
  if (filter.kind === "branch") return filter.operator === "AND" && filter.operands.some(inFilter);
  const { attribute, value } = filter;
  return (
    filter.operator === "=" &&
    attribute.kind === "node-path" &&
    attribute.path.alias === "subject" &&
    (attribute.path.kind === "property" ||
      (attribute.path.kind === "system" && attribute.path.field === "external_id")) &&
    (value?.kind === "literal" || value?.kind === "reference")
  );
};

/**
 * True when the policy itself says by an equality who the subject is (policies specification 7.2). Where it does
 * not, the platform pins a person to the subject of the token.
 */
export const constrainsSubject = (query: Query, analysis: Analysis, filter: Filter | undefined): boolean =>
  inText(query, analysis) || inFilter(filter);
