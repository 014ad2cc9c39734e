import type { Case, Expression } from "../cypher/ast.ts";
import {
  call,
  isCheapToRepeat,
  chain,
  compareBy,
  concat,
  integer,
  letExpression,
  noPosition,
  operate,
  property,
  text,
} from "../rewrite/build.ts";
import { firstSecond, instantPattern, lastSecond } from "./instant.ts";

const part = (value: Expression, from: number, length: number): Expression =>
  call("toInteger", call("substring", value, integer(from), integer(length)));
const sum = (...terms: readonly Expression[]): Expression =>
  terms.reduce((left, right) => operate(left, "+", right));
const times = (value: Expression, factor: number): Expression => operate(value, "*", integer(factor));
const by = (value: Expression, divisor: number): Expression => operate(value, "/", integer(divisor));
const less = (left: Expression, right: Expression): Expression => operate(left, "-", right);
const list = (...items: readonly Expression[]): Expression => ({ kind: "list", items, at: noPosition });

/** Days since 1970-01-01, as `daysTo` counts them in memory; whole numbers divide to whole numbers. */
const days = (date: Expression): Expression => {
  const month = part(date, 5, 2);
  const year = less(sum(part(date, 0, 4), integer(400)), by(less(integer(14), month), 12));
  const monthFromMarch = operate(sum(month, integer(9)), "%", integer(12));
  const dayOfYear = sum(by(sum(times(monthFromMarch, 153), integer(2)), 5), part(date, 8, 2));
  const daysOfYears = sum(less(by(times(year, 1461), 4), by(year, 100)), by(year, 400));
  return less(sum(daysOfYears, dayOfYear), integer(865_566));
};

/** The instant of a text that fits `instantPattern`, brought to one form first: "Z" as an offset like any other. */
const ofText = (value: Expression): Expression =>
  letExpression("__time", call("replace", call("toUpper", value), text("Z"), text("+00:00")), (time) => {
    const clock = sum(times(part(time, 11, 2), 3600), times(part(time, 14, 2), 60), part(time, 17, 2));
    const zone = call("right", time, integer(6));
    const sign = call("toInteger", concat(call("left", zone, integer(1)), text("1")));
    const offset = operate(sum(times(part(zone, 1, 2), 3600), times(part(zone, 4, 2), 60)), "*", sign);
    const seconds = less(sum(times(days(time), 86_400), clock), offset);
    // Without a fraction what is left between the seconds and the offset is nothing, and nine zeros follow it.
    const rest = call("substring", time, integer(19), less(call("size", time), integer(25)));
    const fraction = concat(call("substring", rest, integer(1)), text("000000000"));
    return list(seconds, call("toInteger", call("left", fraction, integer(9))));
  });

const float = (value: number): Expression => ({ kind: "float", value, at: noPosition });

/** The instant of epoch seconds, to the microsecond, with the arithmetic that memory has. */
const ofNumber = (value: Expression): Expression => {
  const million = float(1_000_000);
  const micros = call("floor", operate(operate(value, "*", million), "+", float(0.5)));
  const within = operate(operate(operate(micros, "%", million), "+", million), "%", million);
  return list(call("floor", operate(micros, "/", million)), operate(within, "*", float(1000)));
};

const instantCase = (value: Expression): Case => {
  const alternatives = [
    { test: operate(value, "=~", text(`(?d)${instantPattern}`)), then: ofText(value) },
    // Only numbers have an order with numbers.
    { test: chain(integer(firstSecond), "<=", value, "<=", integer(lastSecond)), then: ofNumber(value) },
    {
      test: compareBy(call("valueType", value), "=", text("ZONED DATETIME NOT NULL")),
      then: list(property(value, "epochSeconds"), property(value, "nanosecond")),
    },
  ];
  return {
    kind: "case",
    alternatives: alternatives.map(({ test, then }) => ({
      kind: "alternative",
      when: [test],
      then,
      at: noPosition,
    })),
    at: noPosition,
  };
};

/**
 * The instant of a value that is known only while the statement runs, as a list `[seconds, nanoseconds]`; null for
 * a value that is not an instant. Stored text never reaches the database's own conversion, which fails the whole statement on a
 * text that it cannot read: the text is checked by its form and then reckoned with.
 */
export const instantExpression = (value: Expression): Expression =>
  isCheapToRepeat(value) ? instantCase(value) : letExpression("__value", value, instantCase);
