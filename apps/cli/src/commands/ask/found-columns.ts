import type { EntityRef } from "@ikg/client";
import type { Column } from "../../output/print.ts";

/** Columns of search results. */
export const foundColumns: readonly Column<EntityRef>[] = [
  { header: "TYPE", value: ({ type }) => type },
  { header: "ID", value: ({ id }) => id, whole: true },
];
