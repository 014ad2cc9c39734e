import type { Cells } from "../tables/row.ts";
import type { OnFault } from "./convert.ts";

/** What lines of an import are about: nodes are written before relationships. */
export const lineKinds = ["node", "relationship"] as const;

export type LineKind = (typeof lineKinds)[number];

/** A line of an import; undefined where a row has none, or a fault. */
export type LineOf = (cells: Cells, fault: OnFault) => object | undefined;
