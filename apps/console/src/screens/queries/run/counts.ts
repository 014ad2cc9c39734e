import type { QueryExplanation } from "@ikg/client";

type Filters = NonNullable<QueryExplanation["rows"]>["filters"];

/** A comparison of a filter. */
export type Comparison = Pick<Filters[number], "operator" | "attribute" | "value" | "path">;

/** A step from the matches of the pattern to the rows. */
export interface CountStep {
  /** Undefined: the pattern itself. */
  readonly filter: Comparison | undefined;
  /** Whose filter it is. */
  readonly by: "policy" | "query";
  readonly rows: number;
  /** Rows that this step left out. */
  readonly removed: number;
  /** Of an OR or NOT: for how many rows each comparison is true. */
  readonly leaves: NonNullable<Filters[number]["leaves"]>;
}

export const isOfPolicy = (path: string): boolean => path.startsWith("policy.");

/** From the matches of the pattern to the rows, filter by filter; undefined where they were not counted. */
export const countSteps = ({ rows }: QueryExplanation): readonly CountStep[] | undefined =>
  rows && [
    { filter: undefined, by: "policy", rows: rows.pattern, removed: 0, leaves: [] },
    ...rows.filters.map(({ before, after, leaves = [], ...filter }): CountStep => ({
      filter,
      by: isOfPolicy(filter.path) ? "policy" : "query",
      rows: after,
      removed: before - after,
      leaves,
    })),
  ];

/** The filter to open first: the one that leaves no row, else the one that leaves out most. */
export const filterToOpen = (explanation: QueryExplanation): string | undefined => {
  if (explanation.filter !== undefined) return explanation.filter.path;
  const [most] = (countSteps(explanation) ?? [])
    .filter(({ filter, removed }) => filter !== undefined && removed > 0)
    .toSorted((one, other) => other.removed - one.removed);
  return most?.filter?.path;
};
