import type { ClauseSpec, Expr } from "./model.ts";
import { matchAll, namesOf } from "./patterns.ts";
import type { Row, Setting } from "./setting.ts";
import { groupKey, isList, isNumber, sortOrder, truthOf, type Value } from "./values.ts";

type With = Extract<ClauseSpec, { kind: "with" }>;
type Aggregate = Extract<Expr, { kind: "aggregate" }>;

const passes = (where: Expr | undefined, row: Row, setting: Setting): boolean =>
  where === undefined || truthOf(setting.evaluate(where, row, setting)) === true;

const distinctValues = (values: readonly Value[]): readonly Value[] => [
  ...new Map(values.toReversed().map((value) => [groupKey(value), value])).values(),
];

const extreme = (values: readonly Value[], sign: number): Value =>
  values.reduce<Value>(
    (best, value) => (best === null || sortOrder(value, best) * sign > 0 ? value : best),
    null,
  );

const sum = (values: readonly Value[]): bigint | number =>
  values.reduce<bigint | number>((total, value) => {
    if (!isNumber(value)) throw new TypeError("sum takes numbers");
    return typeof total === "bigint" && typeof value === "bigint"
      ? total + value
      : Number(total) + Number(value);
  }, 0n);

const aggregate = (expr: Aggregate, group: readonly Row[], setting: Setting): Value => {
  if (expr.arg === undefined) return BigInt(group.length);
  const argument = expr.arg;
  const all = group.map((row) => setting.evaluate(argument, row, setting)).filter((value) => value !== null);
  const values = expr.distinct ? distinctValues(all) : all;
  switch (expr.name) {
    case "count":
      return BigInt(values.length);
    case "collect":
      return values;
    case "sum":
      return sum(values);
    case "min":
      return extreme(values, -1);
    case "max":
      return extreme(values, 1);
    case "avg":
      return values.length === 0 ? null : Number(sum(values)) / values.length;
  }
};

/** Aggregates stand alone or as operands of one comparison or calculation. */
const holdsAggregate = (expr: Expr): boolean => {
  if (expr.kind === "aggregate") return true;
  if (expr.kind === "compare")
    return [expr.first, ...expr.rest.map((step) => step.expr)].some(holdsAggregate);
  if (expr.kind === "arithmetic") return holdsAggregate(expr.left) || holdsAggregate(expr.right);
  if (expr.kind === "call") return expr.args.some(holdsAggregate);
  return false;
};

/** The expression with every aggregate replaced by a name, and what those names hold in a group. */
const settle = (expr: Expr, group: readonly Row[], values: Map<string, Value>, setting: Setting): Expr => {
  const inside = (inner: Expr): Expr => settle(inner, group, values, setting);
  switch (expr.kind) {
    case "aggregate": {
      const name = ` aggregate ${values.size}`;
      values.set(name, aggregate(expr, group, setting));
      return { kind: "variable", name };
    }
    case "compare":
      return {
        ...expr,
        first: inside(expr.first),
        rest: expr.rest.map((step) => ({ ...step, expr: inside(step.expr) })),
      };
    case "arithmetic":
      return { ...expr, left: inside(expr.left), right: inside(expr.right) };
    case "call":
      return { ...expr, args: expr.args.map(inside) };
    default:
      return expr;
  }
};

const grouped = (
  clause: With,
  rows: readonly Row[],
  setting: Setting,
  inExpression: boolean,
): readonly Row[] => {
  const keys = clause.items.filter(({ expr }) => !holdsAggregate(expr));
  const groups = new Map<string, { head: Row; rows: Row[] }>();
  for (const row of rows) {
    const head = new Map(keys.map(({ expr, as }) => [as, setting.evaluate(expr, row, setting)]));
    const key = [...head.values()].map(groupKey).join("|");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { head, rows: [row] });
    else group.rows.push(row);
  }
  // Without grouping keys there is always one group, of no rows perhaps. In EXISTS and COUNT the names of the outside
  // are grouping keys, so that nothing stays nothing there (measured: the server carries them through every WITH).
  if (keys.length === 0 && groups.size === 0 && !inExpression) groups.set("", { head: new Map(), rows: [] });
  return [...groups.values()].map(({ head, rows: members }) => {
    const row = new Map(head);
    for (const { expr, as } of clause.items) {
      if (!holdsAggregate(expr)) continue;
      const values = new Map<string, Value>(members[0] ?? []);
      const settled = settle(expr, members, values, setting);
      row.set(as, setting.evaluate(settled, values, setting));
    }
    return row;
  });
};

const bound = (expr: Expr | undefined, setting: Setting): number | undefined => {
  if (expr === undefined) return undefined;
  const value = setting.evaluate(expr, new Map(), setting);
  if (typeof value !== "bigint") throw new TypeError("SKIP and LIMIT take integers");
  return Number(value);
};

const project = (
  clause: With,
  rows: readonly Row[],
  setting: Setting,
  inExpression: boolean,
): readonly Row[] => {
  let result: readonly Row[] = clause.items.some(({ expr }) => holdsAggregate(expr))
    ? grouped(clause, rows, setting, inExpression)
    : rows.map(
        (row): Row =>
          new Map([
            ...(clause.star ? row : []),
            ...clause.items.map(({ expr, as }) => [as, setting.evaluate(expr, row, setting)] as const),
          ]),
      );
  if (clause.distinct)
    result = [
      ...new Map(
        result.map((row) => [[...row].map(([name, value]) => `${name}=${groupKey(value)}`).join("|"), row]),
      ).values(),
    ];
  if (clause.order.length > 0)
    result = result
      .map((row) => ({ row, keys: clause.order.map(({ expr }) => setting.evaluate(expr, row, setting)) }))
      .toSorted((left, right) => {
        for (const [index, { descending }] of clause.order.entries()) {
          const order = sortOrder(left.keys[index] ?? null, right.keys[index] ?? null);
          if (order !== 0) return descending ? -order : order;
        }
        return 0;
      })
      .map(({ row }) => row);
  const skip = bound(clause.skip, setting) ?? 0;
  const limit = bound(clause.limit, setting);
  result = result.slice(skip, limit === undefined ? undefined : skip + limit);
  return result.filter((row) => passes(clause.where, row, setting));
};

const matchOne = (
  clause: Extract<ClauseSpec, { kind: "match" }>,
  row: Row,
  setting: Setting,
): readonly Row[] => {
  const found = matchAll(clause.paths, row, setting).filter((each) => passes(clause.where, each, setting));
  if (found.length > 0 || !clause.optional) return found;
  const names = namesOf(clause.paths).filter((name) => !row.has(name));
  return [new Map([...row, ...names.map((name) => [name, null] as const)])];
};

/** One subquery for one row: it sees what it imports, and hands out what it returns. */
const callOne = (
  { imports, body, items }: Extract<ClauseSpec, { kind: "subquery" }>,
  row: Row,
  setting: Setting,
): readonly Row[] => {
  const seen: Row = new Map(imports.map(({ name }) => [name, row.get(name) ?? null]));
  const result: With = { kind: "with", distinct: false, star: false, items, order: [] };
  return runClauses([...body, result], seen, setting).map(
    (found): Row => new Map([...row, ...items.map(({ as }) => [as, found.get(as) ?? null] as const)]),
  );
};

/** The rows that clauses make of one row. What a WITH drops in a subquery stays visible from outside. */
export const runClauses = (
  clauses: readonly ClauseSpec[],
  outer: Row,
  setting: Setting,
  inExpression = false,
): readonly Row[] => {
  let current: readonly Row[] = [outer];
  for (const clause of clauses) {
    switch (clause.kind) {
      case "match":
        current = current.flatMap((row) => matchOne(clause, row, setting));
        break;
      case "with":
        current = project(clause, current, setting, inExpression).map(
          (row): Row => new Map([...outer, ...row]),
        );
        break;
      case "subquery":
        current = current.flatMap((row) => callOne(clause, row, setting));
        break;
      case "unwind":
        current = current.flatMap((row) => {
          const list = setting.evaluate(clause.list, row, setting);
          if (list === null) return [];
          if (!isList(list)) throw new TypeError("UNWIND takes a list");
          return list.map((item): Row => new Map([...row, [clause.as, item]]));
        });
        break;
    }
  }
  return current;
};
