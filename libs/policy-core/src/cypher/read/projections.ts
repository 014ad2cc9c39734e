import { omitUndefined } from "../walk.ts";
import type { Expression, ProjectionItem, SortItem } from "../ast.ts";
import type { ParserState } from "./parser-state.ts";

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
export const readProjection = (state: ParserState, clause: "WITH" | "RETURN" | undefined): Projection => {
  const { aggregates } = state;
  state.aggregates = true;
  const distinct = state.takeWord("DISTINCT");
  const star = state.takeMark("*");
  const items: ProjectionItem[] = [];
  if (!star || state.takeMark(",")) {
    do {
      items.push(readItem(state, clause));
    } while (state.takeMark(","));
  }
  const orderBy = readOrder(state);
  state.aggregates = false;
  const skip = state.takeWord("SKIP") || state.takeWord("OFFSET") ? state.rules.expression(state) : undefined;
  const limit = state.takeWord("LIMIT") ? state.rules.expression(state) : undefined;
  state.aggregates = aggregates;
  return { distinct, star, items, orderBy, ...omitUndefined({ skip, limit }) };
};

const readItem = (state: ParserState, clause: "WITH" | "RETURN" | undefined): ProjectionItem => {
  const { at } = state.token;
  const expression = state.rules.expression(state);
  if (state.takeWord("AS")) return { kind: "item", expression, alias: state.expectName().name, at };
  if (clause !== undefined && expression.kind !== "variable") {
    state.note(`an expression in ${clause} needs AS and a name`, at);
  }
  return { kind: "item", expression, at };
};

const readOrder = (state: ParserState): readonly SortItem[] => {
  const items: SortItem[] = [];
  if (!state.takeWord("ORDER")) return items;
  state.expectWord("BY");
  do {
    const { at } = state.token;
    const expression = state.rules.expression(state);
    const descending = state.takeWord("DESC") || state.takeWord("DESCENDING");
    if (!descending && !state.takeWord("ASC")) state.takeWord("ASCENDING");
    items.push({ kind: "sort", expression, descending, at });
  } while (state.takeMark(","));
  return items;
};
