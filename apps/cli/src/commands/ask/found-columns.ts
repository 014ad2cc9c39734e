import type { Found } from "@ikg/client";
import type { Column } from "../../output/print.ts";

/** Columns of search results. */
export const foundColumns: readonly Column<Found>[] = [
  { header: "TYPE", value: ({ type }) => type },
  { header: "ID", value: ({ id }) => id, whole: true },
];
