import type { Cells } from "../tables/row.ts";

/** Reads the value of a column in a row; undefined for an empty cell. */
export type Column = (cells: Cells) => unknown;

export type ColumnOf = (name: string) => Column;

/** A column that the file does not have. */
export class UnknownColumn extends Error {
  override readonly name = "UnknownColumn";
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}; // an object

/** Reads a member of nested objects: by the whole name, otherwise by its parts between dots. */
const memberOf = (name: string): ((cells: Cells) => unknown) => {
  const path = name.split(".");
  if (path.length === 1) return (cells) => membersOf(cells)[name];
  return (cells) => {
    const whole = membersOf(cells)[name];
    if (whole !== undefined) return whole;
    let value: unknown = cells;
    for (const each of path) value = membersOf(value)[each];
    return value;
  };
};

/**
 * @param columns names in the order of the cells; undefined for objects with arbitrary members.
 * @param empty texts that mean "no value", in addition to the empty text.
 * @throws UnknownColumn when the returned function is called.
 */
export const columnsOf = (
  columns: readonly string[] | undefined,
  { areObjects, empty }: { readonly areObjects: boolean; readonly empty: readonly string[] },
): ColumnOf => {
  const isEmpty = new Set<unknown>([undefined, null, "", ...empty]);
  const named =
    (read: (cells: Cells) => unknown): Column =>
    (cells) => {
      const value = read(cells);
      return isEmpty.has(value) ? undefined : value;
    };
  return (name) => {
    const [head = name] = areObjects && columns?.includes(name) !== true ? name.split(".") : [name];
    if (columns !== undefined && !columns.includes(head)) {
      const known = columns.slice(0, 30).join(", ") + (columns.length > 30 ? ", …" : "");
      throw new UnknownColumn(`unknown column ${JSON.stringify(name)}; available: ${known}`);
    }
    if (areObjects) return named(memberOf(name));
    const index = columns?.indexOf(name) ?? -1;
    return named((cells) => (cells as readonly unknown[])[index]); // rows of a table are lists
  };
};
