import { present } from "../walk.ts";
import type { Expression, ProjectionItem, SortItem } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** What WITH and RETURN have in common. */
export interface Projection {
  readonly distinct: boolean;
  readonly star: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip?: Expression;
  readonly limit?: Expression;
}

/**
 * Reads `DISTINCT *, item, … ORDER BY … SKIP … LIMIT …`.
 *
 * @param clause its name when every expression but a plain variable needs `AS`; undefined where names do not matter
 */
export const readProjection = (reader: Reader, clause: "WITH" | "RETURN" | undefined): Projection => {
  const { aggregates } = reader;
  reader.aggregates = true;
  const distinct = reader.takeWord("DISTINCT");
  const star = reader.takeMark("*");
  const items: ProjectionItem[] = [];
  if (!star || reader.takeMark(",")) {
    do {
      items.push(readItem(reader, clause));
    } while (reader.takeMark(","));
  }
  const orderBy = readOrder(reader);
  reader.aggregates = false;
  const skip =
    reader.takeWord("SKIP") || reader.takeWord("OFFSET") ? reader.rules.expression(reader) : undefined;
  const limit = reader.takeWord("LIMIT") ? reader.rules.expression(reader) : undefined;
  reader.aggregates = aggregates;
  return { distinct, star, items, orderBy, ...present({ skip, limit }) };
};

const readItem = (reader: Reader, clause: "WITH" | "RETURN" | undefined): ProjectionItem => {
  const { at } = reader.token;
  const expression = reader.rules.expression(reader);
  if (reader.takeWord("AS")) return { kind: "item", expression, alias: reader.expectName().name, at };
  if (clause !== undefined && expression.kind !== "variable") {
    reader.note(`an expression in ${clause} needs AS and a name`, at);
  }
  return { kind: "item", expression, at };
};

const readOrder = (reader: Reader): readonly SortItem[] => {
  const items: SortItem[] = [];
  if (!reader.takeWord("ORDER")) return items;
  reader.expectWord("BY");
  do {
    const { at } = reader.token;
    const expression = reader.rules.expression(reader);
    const descending = reader.takeWord("DESC") || reader.takeWord("DESCENDING");
    if (!descending && !reader.takeWord("ASC")) reader.takeWord("ASCENDING");
    items.push({ kind: "sort", expression, descending, at });
  } while (reader.takeMark(","));
  return items;
};
