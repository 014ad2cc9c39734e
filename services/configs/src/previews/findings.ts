import { type PlanFinding, planFindings, type PreviewedOperator, type Validation } from "@ikg/contracts";
import type { PlanOperator } from "@ikg/graph";
import { openLength } from "@ikg/policy-core/statements";

type Findings = NonNullable<Validation["statements"]>[number]["findings"];

/** `UNIQUE n:_Node(_key) WHERE …` and `RANGE INDEX n:Car(price) WHERE …`. */
const indexed = /^(?:[A-Z]+ )*(?:INDEX )?\w*:?([^ (]+\([^)]*\))/;

const indexOf = ({ operator, details = "" }: PlanOperator): string | undefined =>
  operator.includes("Index") ? indexed.exec(details)?.[1] : undefined;

/** A plan as it is answered. @param shown replaces the names of the project. */
export const previewedPlan = (plan: PlanOperator, shown: (text: string) => string): PreviewedOperator => {
  const { operator, details, estimatedRows, rows, hits, children } = plan;
  const index = indexOf(plan);
  return {
    operator,
    ...(details === undefined ? {} : { details: shown(details) }),
    ...(index === undefined ? {} : { index: shown(index) }),
    estimated_rows: estimatedRows,
    ...(rows === undefined ? {} : { rows }),
    ...(hits === undefined ? {} : { hits }),
    children: children.map((child) => previewedPlan(child, shown)),
  };
};

const isExpansion = ({ operator }: PlanOperator): boolean => operator.includes("Expand(All)");
/** Steps of a path that its author left open, by the rules of the language. In an EXISTS it stands in the details of a projection. */
const isOpen = new RegExp(`\\*\\d*\\.\\.${openLength}\\]`);

/** One row at most: a node by its unique key. */
const isSingle = ({ operator, children }: PlanOperator): boolean =>
  operator === "NodeUniqueIndexSeek" ||
  (["Filter", "CartesianProduct"].includes(operator) && children.length > 0 && children.every(isSingle));

const rules: readonly (readonly [PlanFinding, (plan: PlanOperator) => boolean])[] = [
  ["label-scan", ({ operator }) => /(Label|Labels|Type|Types)Scan$/.test(operator)],
  ["all-nodes-scan", ({ operator }) => /All(Nodes|Relationships)Scan$/.test(operator)],
  [
    "cartesian-product",
    ({ operator, children }) =>
      operator === "CartesianProduct" && children.filter((child) => !isSingle(child)).length > 1,
  ],
  ["filter-after-expand", ({ operator, children }) => operator === "Filter" && children.some(isExpansion)],
  ["open-length", ({ details = "" }) => isOpen.test(details)],
];

/** What in a plan costs more the larger a graph is. */
export const findingsOf = (plan: PlanOperator): Findings => [
  ...rules.flatMap(([code, applies]) =>
    applies(plan) ? [{ code, text: planFindings[code], operator: plan.operator }] : [],
  ),
  ...plan.children.flatMap(findingsOf),
];
