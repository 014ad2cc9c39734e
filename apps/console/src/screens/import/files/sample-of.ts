import {
  ownMemberOf,
  openTable,
  type ProfileOptions,
  type TableFile,
  type TableProfile,
  textOf,
} from "@ikg/imports/browser";

/** The values of the first row of a file by the columns of its profile, as texts; empty for those that the row does not have. */
export const sampleOf = async (
  file: TableFile,
  options: ProfileOptions,
  { columns, delimiter }: Pick<TableProfile, "columns" | "delimiter">,
): Promise<readonly string[]> => {
  const table = await openTable(file, { ...options, delimiter });
  try {
    for await (const [first] of table.batches()) {
      if (first === undefined) continue;
      const { cells } = first;
      return columns.map(({ name }, at) => {
        const value = Array.isArray(cells) ? (cells as readonly unknown[])[at] : ownMemberOf(cells, name);
        return value === undefined || value === null ? "" : textOf(value);
      });
    }
    return [];
  } finally {
    await table.close();
  }
};
