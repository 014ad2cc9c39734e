import type { Cells } from "../tables/row.ts";
import type { OnFault } from "./convert.ts";

/** Kinds of lines of an import, in the order in which they are written. */
export const lineKinds = ["node", "relationship"] as const;

export type LineKind = (typeof lineKinds)[number];

/** Converts a row to a line of an import; undefined if it has none or has a fault. */
export type LineOf = (cells: Cells, fault: OnFault) => object | undefined;
