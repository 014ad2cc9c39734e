import type { Analysis } from "../bindings/scope.ts";
import type { Expression, Query } from "../cypher/ast.ts";
import { conjuncts } from "../cypher/walk.ts";
import { type Filter, readFilters } from "../filters/filter.ts";
import { resolveFilter, type ResolvedFilter } from "../filters/resolve.ts";
import {
  success,
  type Checked,
  type Faults,
  type JsonObject,
  member,
  readObject,
  readString,
} from "../json.ts";
import { needsOf, type Needs } from "../values/reference.ts";
import { readAllowLists, type AllowLists, resolveAllowLists } from "./allow-lists.ts";
import { readCondition, type Condition } from "./condition.ts";
import { readType } from "./kbac.ts";

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
const constrainsSubject = (query: Query, analysis: Analysis, filter: Filter | undefined): boolean =>
  inText(query, analysis) || inFilter(filter);

/** Who the platform pins `subject` to: the calling Application, the subject of the token, or the policy does it. */
type SubjectPin = "application" | "token" | "policy";

/** A checked CIQ policy (policies specification 7). */
export interface CiqPolicy {
  readonly kind: "ciq";
  readonly subjectType: string;
  readonly condition: Condition;
  readonly filter: ResolvedFilter | undefined;
  /** Evaluated in memory after introspection, before parameters and graph. */
  readonly tokenFilter: ResolvedFilter | undefined;
  readonly allowed: AllowLists;
  readonly pin: SubjectPin;
  /** What the pattern and both filters read from the request. */
  readonly needs: Needs;
}

const applicationType = "_Application";

const keys = ["meta", "subject", "condition", "allowed_reads", "allowed_upserts", "allowed_deletes"];

/** Checks the JSON of a `1.0-ciq` policy, stages (b) to (f) of policies specification 1. */
export const checkCiq = (policy: JsonObject, faults: Faults): Checked<CiqPolicy> => {
  readObject(policy, "policy", keys, faults);
  const subjectType = readType(policy, "subject", faults);
  const conditionKeys = ["cypher", "filter", "token_filter"];
  const condition = readObject(member(policy, "condition"), "policy.condition", conditionKeys, faults);
  const cypher = condition && readString(member(condition, "cypher"), "policy.condition.cypher", faults);
  const rawFilter = condition && readFilters(member(condition, "filter"), "policy.condition.filter", faults);
  const rawTokenFilter =
    condition && readFilters(member(condition, "token_filter"), "policy.condition.token_filter", faults);
  const rawLists = readAllowLists(policy, faults);
  if (!faults.none || cypher === undefined || subjectType === undefined) return faults.failure();

  const read = readCondition(
    cypher,
    "policy.condition.cypher",
    "ciq",
    false,
    { subject: subjectType },
    faults,
  );
  const tokenFilter = resolveFilter(rawTokenFilter, { language: "ciq", bindings: undefined }, faults);
  if (read === undefined) return faults.failure();
  const { bindings, report } = read.analysis;
  const filter = resolveFilter(rawFilter, { language: "ciq", bindings }, faults);
  const allowed = resolveAllowLists(rawLists, read, subjectType, faults);
  if (!faults.none) return faults.failure();

  const pinned = constrainsSubject(read.query, read.analysis, filter?.filter);
  return success({
    kind: "ciq",
    subjectType,
    condition: read,
    filter,
    tokenFilter,
    allowed,
    pin: subjectType === applicationType ? "application" : pinned ? "policy" : "token",
    needs: needsOf(report.needs, ...[filter, tokenFilter].flatMap((each) => (each ? [each.needs] : []))),
  });
};
