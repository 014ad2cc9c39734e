import { createHash } from "node:crypto";
import type { SimulatedRow } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { compareText } from "@ikg/policy-core";
import type { QueryRowsStatement } from "@ikg/policy-core/statements";
import { resultRow, type ShownProject } from "@ikg/query-rows";

type Column = QueryRowsStatement["columns"][number];

/** What a column is called in an answer. */
const nameOf = (column: Column): string =>
  column.kind === "aggregate" ? column.aggregate : column.path.text;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads rows of one statement. */
export interface RowReader {
  /** Equal for rows that are alike in what both statements show; short, whatever the row holds. */
  key(row: Row): string;
  example(row: Row): SimulatedRow;
  /** Names of the columns that the other statement does not have; none where it has no rows. */
  readonly ownColumns: readonly string[];
}

/** Positions of a list whose elements the other list has as well; every position where the statements have nothing in common. */
const sharedPositions = (
  list: readonly string[],
  other: ReadonlySet<string>,
  hasCommon: boolean,
): readonly number[] => list.flatMap((each, index) => (!hasCommon || other.has(each) ? [index] : []));

/**
 * @param statement undefined where there are no rows.
 * @param other the statement whose rows these are compared with; undefined where there are none.
 * @param values whether examples show values besides names.
 */
export const rowReader = (
  statement: QueryRowsStatement | undefined,
  other: QueryRowsStatement | undefined,
  project: ShownProject,
  values: boolean,
): RowReader => {
  const { aliases = [], columns = [] } = statement ?? {};
  const names = columns.map(nameOf);
  const otherNames = new Set(other?.columns.map(nameOf));
  const otherAliases = new Set(other?.aliases);
  const hasCommon =
    names.some((name) => otherNames.has(name)) || aliases.some((alias) => otherAliases.has(alias));
  const comparedAliases = sharedPositions(aliases, otherAliases, hasCommon);
  const compared = sharedPositions(names, otherNames, hasCommon);
  const comparedColumns = compared.flatMap((index) => columns[index] ?? []);
  // The other statement may have the same columns in another order.
  const inOrder = (object: Readonly<Record<string, unknown>> | undefined) =>
    Object.entries(object ?? {}).toSorted(([a], [b]) => compareText(a, b));
  return {
    ownColumns: other === undefined ? [] : names.filter((name) => !otherNames.has(name)),
    key: ({ names: ids, row }) => {
      const all = listOf(row);
      const shown = resultRow(
        comparedColumns,
        compared.map((index) => all[index]),
        project,
      );
      const { nodes, relationships, aggregate_values } = shown.row;
      const content = [
        inOrder(
          Object.fromEntries(comparedAliases.map((index) => [aliases[index] ?? "", listOf(ids)[index]])),
        ),
        inOrder(nodes),
        inOrder(relationships),
        inOrder(aggregate_values),
        inOrder(
          Object.fromEntries(
            shown.external.map(([path, { resolver, externalId }]) => [path, [resolver, externalId]]),
          ),
        ),
      ];
      return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
    },
    example: ({ names: ids, row }) => ({
      nodes: Object.fromEntries(
        aliases.map((alias, index) => {
          const id = listOf(ids)[index];
          return [alias, typeof id === "string" ? id : null];
        }),
      ),
      ...(values && { row: resultRow(columns, listOf(row), project).row }),
    }),
  };
};

/** Rows by their keys, each as often as it came. */
export class RowBag {
  readonly #counts = new Map<string, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#size += 1;
  }

  /** @returns whether there was one. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    if (count === 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
    this.#size -= 1;
    return true;
  }
}
