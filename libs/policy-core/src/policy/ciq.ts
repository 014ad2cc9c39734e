import type { Analysis } from "../bindings/scope.ts";
import type { Budget } from "../bounds/budget.ts";
import type { Expression, NodePattern, Query } from "../cypher/ast.ts";
import { conjuncts } from "../cypher/conjuncts.ts";
import { type Leaf, leafConjuncts } from "../filters/filter.ts";
import { readFilters } from "../filters/read.ts";
import { limitFilter, resolveFilter, type ResolvedFilter } from "../filters/resolve.ts";
import {
  success,
  type Checked,
  type Faults,
  type JsonObject,
  member,
  readObject,
  readString,
} from "../json.ts";
import { isMapSystemKey, type NodePath } from "../paths/path.ts";
import { needsOf, type RequiredInputs } from "../values/reference.ts";
import { readAllowLists, type AllowLists, resolveAllowLists } from "./allow-lists.ts";
import { readCondition, type Condition } from "./condition.ts";
import { readType } from "./shape.ts";

/** An equality that identifies the subject: by a literal of the policy, or by a value of the request. */
interface SubjectEquality {
  /** `external_id`, or the name of a property. */
  readonly field: string;
  readonly by: "literal" | "reference";
}

const givenBy = (expression: Expression, analysis: Analysis): SubjectEquality["by"] | undefined => {
  if (["string", "integer", "float", "boolean"].includes(expression.kind)) return "literal";
  return analysis.report.references.has(expression) ? "reference" : undefined;
};

const fieldOf = (path: NodePath): string | undefined => {
  if (path.kind === "property") return path.name;
  return path.kind === "system" && path.field === "external_id" ? path.field : undefined;
};

const subjectField = (expression: Expression, analysis: Analysis): string | undefined => {
  const path = analysis.report.paths.get(expression);
  return path?.kind === "node-path" && path.root.kind === "variable" && path.root.name === "subject"
    ? fieldOf(path.path)
    : undefined;
};

const inPredicate = (predicate: Expression | undefined, analysis: Analysis): readonly SubjectEquality[] =>
  conjuncts(predicate).flatMap((expression) => {
    if (expression.kind !== "comparison") return [];
    const [step, ...more] = expression.rest;
    if (step === undefined || more.length > 0 || step.operator !== "=") return [];
    const sides = [
      [expression.first, step.operand],
      [step.operand, expression.first],
    ] as const;
    return sides.flatMap(([subject, value]) => {
      const field = subjectField(subject, analysis);
      const by = givenBy(value, analysis);
      return field === undefined || by === undefined ? [] : [{ field, by }];
    });
  });

const inPattern = (pattern: NodePattern, analysis: Analysis): readonly SubjectEquality[] => [
  ...(pattern.properties?.entries ?? []).flatMap(({ key, value }) => {
    const by = givenBy(value, analysis);
    return by === undefined || (isMapSystemKey(key) && key !== "external_id") ? [] : [{ field: key, by }];
  }),
  ...inPredicate(pattern.where, analysis),
];

const inText = (query: Query, analysis: Analysis): readonly SubjectEquality[] =>
  query.clauses.flatMap((clause) => {
    if (clause.kind === "with") return inPredicate(clause.where, analysis);
    if (clause.kind !== "match" || clause.optional) return [];
    const patterns = clause.patterns
      .flatMap(({ elements }) => elements)
      .filter((element) => element.kind === "node" && element.variable === "subject");
    return [
      ...inPredicate(clause.where, analysis),
      // Filtered by kind above.
      ...patterns.flatMap((element) => (element.kind === "node" ? inPattern(element, analysis) : [])),
    ];
  });

const inLeaf = ({ attribute, operator, value }: Leaf): readonly SubjectEquality[] => {
  if (operator !== "=" || attribute.kind !== "node-path" || attribute.path.alias !== "subject") return [];
  const field = fieldOf(attribute.path);
  if (field === undefined || (value?.kind !== "literal" && value?.kind !== "reference")) return [];
  return [{ field, by: value.kind }];
};

/**
 * Who pins `subject`: the platform to the calling Application, the platform to the subject of the token, or the policy
 * itself by an equality.
 */
type SubjectPin = "application" | "token" | "policy";

/** A checked CIQ policy. */
export interface CiqPolicy {
  readonly kind: "ciq";
  readonly subjectType: string;
  readonly condition: Condition;
  readonly filter: ResolvedFilter | undefined;
  /** Evaluated in memory after introspection, before parameters and graph. */
  readonly tokenFilter: ResolvedFilter | undefined;
  readonly allowed: AllowLists;
  readonly pin: SubjectPin;
  /** The policy itself identifies the subject: by the external id, or by a value of the request. */
  readonly identifiesSubject: boolean;
  /** What the pattern and both filters read from the request. */
  readonly needs: RequiredInputs;
}

const applicationType = "_Application";

const keys = ["meta", "subject", "condition", "allowed_reads", "allowed_upserts", "allowed_deletes"];

/** Checks the JSON of a `1.0-ciq` policy. */
export const checkCiq = (policy: JsonObject, budget: Budget, faults: Faults): Checked<CiqPolicy> => {
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
    budget,
    faults,
  );
  const tokenFilter = resolveFilter(rawTokenFilter, { language: "ciq", bindings: undefined }, faults);
  if (read === undefined) return faults.failure();
  const { bindings, report } = read.analysis;
  const filter = resolveFilter(rawFilter, { language: "ciq", bindings }, faults);
  limitFilter(tokenFilter, "memory", budget, faults);
  limitFilter(filter, read.sizes, budget, faults);
  const allowed = resolveAllowLists(rawLists, read, subjectType, faults);
  if (!faults.none) return faults.failure();

  const equalities = [
    ...inText(read.query, read.analysis),
    ...(filter === undefined ? [] : leafConjuncts(filter.filter).flatMap(inLeaf)),
  ];
  return success({
    kind: "ciq",
    subjectType,
    condition: read,
    filter,
    tokenFilter,
    allowed,
    pin: subjectType === applicationType ? "application" : equalities.length > 0 ? "policy" : "token",
    identifiesSubject: equalities.some(({ field, by }) => field === "external_id" || by === "reference"),
    needs: needsOf(report.needs, ...[filter, tokenFilter].flatMap((each) => (each ? [each.needs] : []))),
  });
};
