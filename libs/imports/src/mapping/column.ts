import type { Cells } from "../tables/row.ts";

/** Reads the value of a column in a row; undefined for an empty cell. */
export type Column = (cells: Cells) => unknown;

export type ColumnOf = (name: string) => Column;

/** A column that the file does not have. */
export class UnknownColumn extends Error {
  override readonly name = "UnknownColumn";
}

/** A member that a value has itself: every object inherits others, such as `constructor`. */
export const ownMemberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name] // an object
    : undefined;

/** Reads a member of nested objects: by the whole name, otherwise by its parts between dots. */
const memberReader = (name: string): ((cells: Cells) => unknown) => {
  const path = name.split(".");
  if (path.length === 1) return (cells) => ownMemberOf(cells, name);
  return (cells) => {
    const whole = ownMemberOf(cells, name);
    if (whole !== undefined) return whole;
    let value: unknown = cells;
    for (const each of path) value = ownMemberOf(value, each);
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
  const withoutEmpty =
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
    if (areObjects) return withoutEmpty(memberReader(name));
    const index = columns?.indexOf(name) ?? -1;
    return withoutEmpty((cells) => (cells as readonly unknown[])[index]); // rows of a table are lists
  };
};
