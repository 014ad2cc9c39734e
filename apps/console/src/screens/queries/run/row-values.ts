import type { ResultRow } from "@ikg/client";

const groups = ["nodes", "relationships", "aggregate_values"] as const;

type Group = (typeof groups)[number];

/** A column of a result: a path, of nodes, relationships or aggregates. */
export interface RowPath {
  readonly group: Group;
  readonly path: string;
}

const membersOf = (row: ResultRow, group: Group): Readonly<Record<string, unknown>> => row[group] ?? {};

/** The columns of rows, each once, in the order in which rows name them. */
export const pathsOf = (rows: readonly ResultRow[]): readonly RowPath[] =>
  groups.flatMap((group) => {
    const paths = new Set(rows.flatMap((row) => Object.keys(membersOf(row, group))));
    return [...paths].map((path) => ({ group, path }));
  });

export const valueOf = (row: ResultRow, { group, path }: RowPath): unknown => {
  const members = membersOf(row, group);
  return Object.hasOwn(members, path) ? members[path] : undefined;
};

/** A value as it is shown: a text as it is, anything else as JSON; undefined where there is none. */
export const valueText = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
};
