import type { Validation } from "@ikg/client";
import { countText } from "../../text/count-text.ts";

export type Statement = NonNullable<Validation["statements"]>[number];

/** An operator of a plan; the contract shows one level of what is nested in it. */
export interface Operator {
  readonly operator: string;
  readonly details?: string | undefined;
  readonly index?: string | undefined;
  readonly estimated_rows?: number | undefined;
  readonly rows?: number | undefined;
  readonly hits?: number | undefined;
  readonly children?: readonly Operator[] | undefined;
}

/** Indexes that a plan uses, each once, in the order of the plan. */
export const indexesOf = (plan: Operator | undefined): readonly string[] => {
  if (plan === undefined) return [];
  const below = (plan.children ?? []).flatMap(indexesOf);
  return [...new Set([...(plan.index === undefined ? [] : [plan.index]), ...below])];
};

const rowsText = ({ rows, estimated_rows: estimated }: Operator): string => {
  if (rows !== undefined) return countText(rows, "row");
  return estimated === undefined ? "" : `about ${countText(estimated, "row")}`;
};

/** What an operator came to, or is expected to. */
export const costOf = (operator: Operator): string =>
  [rowsText(operator), operator.hits !== undefined && countText(operator.hits, "hit")]
    .filter(Boolean)
    .join(", ");

/** Findings of one kind as one, with the operators that they are about. */
export const joinFindings = (findings: Statement["findings"]) =>
  [...Map.groupBy(findings, ({ code }) => code)].map(([code, each]) => ({
    code,
    text: each[0]?.text ?? code,
    operators: [...new Set(each.map(({ operator }) => operator))],
  }));
