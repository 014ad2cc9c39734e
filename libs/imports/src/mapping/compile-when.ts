import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { withPath } from "./mapping-fault.ts";

/** Whether every one of these columns has a value in a row. */
export const compileWhen = (
  when: string | readonly string[] | undefined,
  columnOf: ColumnOf,
): ((cells: Cells) => boolean) => {
  if (when === undefined) return () => true;
  const columns = withPath(["when"], () => (typeof when === "string" ? [when] : when).map(columnOf));
  return (cells) => columns.every((column) => column(cells) !== undefined);
};
