import type { Print } from "../../output/print.ts";
import type { AnyRecord } from "../../records/open-collection.ts";

const withoutEffective = (record: AnyRecord): object =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field !== "effective_limits"));

/** Prints a record. A table has no row for every effective limit of a project; the other formats and `ikg status` show them. */
export const printRecord = (print: Print, record: AnyRecord): Promise<void> =>
  print.record(print.format === "table" ? withoutEffective(record) : record);
