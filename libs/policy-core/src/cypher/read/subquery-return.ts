import { functions } from "../functions.ts";
import { nodesOf } from "../walk.ts";
import type { Projection } from "./projections.ts";
import type { Reader } from "./reader.ts";

/**
 * RETURN in a body of EXISTS or COUNT is accepted and means nothing. Where the database would give it a meaning
 * (it decides how many rows there are), it is refused instead of read differently.
 */
export const checkDropped = (
  reader: Reader,
  of: "EXISTS" | "COUNT",
  projection: Projection,
  at: number,
): void => {
  const distinct = projection.distinct && of === "COUNT";
  const cut = projection.skip !== undefined || projection.limit !== undefined;
  if (distinct || cut || aggregates(projection)) {
    reader.note(
      `RETURN in ${of} { } takes plain values; write DISTINCT, SKIP, LIMIT and aggregates in a WITH`,
      at,
    );
  }
};

const aggregates = ({ items }: Projection): boolean => {
  for (const item of items) {
    for (const node of nodesOf(item)) {
      if (node.kind === "function" && functions.get(node.name)?.aggregate === true) return true;
    }
  }
  return false;
};
