import type { ColumnProfile } from "./column-profile.ts";
import { keyTargetOf, typeNameOf } from "./names.ts";
import type { TableProfile } from "./table-profile.ts";

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const isOwnKey = (column: string, type: string): boolean => {
  const target = keyTargetOf(column);
  return target !== undefined && sameName(typeNameOf(target), type);
};

/** The column that identifies a row: a unique one with the name of a key, otherwise the first unique one. */
export const idColumnOf = ({ columns, type }: TableProfile): ColumnProfile | undefined => {
  const unique = columns.filter(({ isUnique }) => isUnique);
  const named = (fits: (name: string) => boolean): ColumnProfile | undefined =>
    unique.find(({ name }) => fits(name));
  return (
    named((name) => /^(external_)?id$/i.test(name)) ??
    named((name) => isOwnKey(name, type)) ??
    named((name) => /^(uuid|guid|key|code)$/i.test(name)) ??
    unique.find(({ name, as }) => (as === undefined || as === "integer") && keyTargetOf(name) === undefined)
  );
};

/** A column that refers to rows of another file, or of the same file. */
export interface ForeignKey {
  readonly column: ColumnProfile;
  /** The role of the referenced row, by the name of the column. */
  readonly role: string;
  readonly type: string;
  /** The referenced file; undefined if no file has such rows. */
  readonly file: string | undefined;
  /** Whether every sampled value is a sampled id of that file. */
  readonly isContained: boolean;
}

const isSubset = (values: ReadonlySet<string>, ids: ReadonlySet<string>): boolean =>
  values.size > 0 && [...values].every((value) => ids.has(value));

const idsOf = (table: TableProfile): ReadonlySet<string> => idColumnOf(table)?.values ?? new Set();

/** Whether a column has the name of the rows of a file and holds their ids: `dept` refers to `depts.csv`. */
const refersToRows = ({ name, values }: ColumnProfile, tables: readonly TableProfile[]): boolean =>
  tables.some((table) => sameName(table.type, typeNameOf(name)) && isSubset(values, idsOf(table)));

const keyOf = (column: ColumnProfile, tables: readonly TableProfile[]): ForeignKey | undefined => {
  const role = keyTargetOf(column.name) ?? (refersToRows(column, tables) ? column.name : undefined);
  if (role === undefined) return undefined;
  const byName = tables.find(({ type }) => sameName(type, typeNameOf(role)));
  const byValues = tables.find((table) => isSubset(column.values, idsOf(table)));
  const target = byName ?? byValues;
  return {
    column,
    role,
    type: target?.type ?? typeNameOf(role),
    file: target?.file,
    isContained: target !== undefined && isSubset(column.values, idsOf(target)),
  };
};

export const foreignKeysOf = (
  table: TableProfile,
  tables: readonly TableProfile[],
): readonly ForeignKey[] => {
  const id = idColumnOf(table);
  return table.columns
    .filter((column) => column !== id)
    .map((column) => keyOf(column, tables))
    .filter((key) => key !== undefined);
};
