import type { Case, Expression } from "../cypher/ast.ts";
import { call, compareBy, concat, integer, named, operate, property, text, when } from "../rewrite/build.ts";
import { firstSecond, instantPattern, lastSecond } from "./instant.ts";

const part = (value: Expression, from: number, length: number): Expression =>
  call("toInteger", call("substring", value, integer(from), integer(length)));

const sum = (...terms: readonly Expression[]): Expression =>
  terms.reduce((left, right) => operate(left, "+", right));
const times = (value: Expression, factor: number): Expression => operate(value, "*", integer(factor));
const by = (value: Expression, divisor: number): Expression => operate(value, "/", integer(divisor));
const less = (left: Expression, right: Expression): Expression => operate(left, "-", right);
const list = (...items: readonly Expression[]): Expression => ({ kind: "list", items, at: -1 });

/** Days since 1970-01-01, as `daysTo` counts them in memory; whole numbers divide down to whole numbers. */
const days = (year: Expression, month: Expression, day: Expression): Expression => {
  const monthFromMarch = operate(sum(month, integer(9)), "%", integer(12));
  const dayOfYear = sum(by(sum(times(monthFromMarch, 153), integer(2)), 5), day);
  const leapDays = sum(less(by(year, 4), by(year, 100)), by(year, 400));
  return less(sum(times(year, 365), leapDays, dayOfYear), integer(865_566));
};

/** The instant of a text that fits `instantPattern`. */
const ofText = (value: Expression): Expression => {
  const year = less(sum(part(value, 0, 4), integer(400)), by(less(integer(14), part(value, 5, 2)), 12));
  const isUtc = operate(call("toUpper", call("right", value, integer(1))), "IN", list(text("Z")));
  return named("__zone", when(isUtc, integer(1), integer(6)), (zone) => {
    const start = less(call("size", value), zone);
    const offset = named("__offset", call("substring", value, start), (given) => {
      const minutes = sum(times(part(given, 1, 2), 60), part(given, 4, 2));
      const signed = when(operate(given, "STARTS WITH", text("-")), times(minutes, -60), times(minutes, 60));
      return when(compareBy(zone, "=", integer(1)), integer(0), signed);
    });
    const fraction = call("substring", value, integer(20), less(call("size", value), sum(zone, integer(20))));
    const padded = call("toInteger", call("left", concat(fraction, text("000000000")), integer(9)));
    const nanoseconds = when(
      compareBy(call("substring", value, integer(19), integer(1)), "=", text(".")),
      padded,
      integer(0),
    );
    const clock = sum(times(part(value, 11, 2), 3600), times(part(value, 14, 2), 60), part(value, 17, 2));
    const date = named("__year", year, (from) => days(from, part(value, 5, 2), part(value, 8, 2)));
    return list(less(sum(times(date, 86_400), clock), offset), nanoseconds);
  });
};

/** The instant of epoch seconds, to the microsecond, with the arithmetic that memory has. */
const ofNumber = (value: Expression): Expression => {
  const float = (number: number): Expression => ({ kind: "float", value: number, at: -1 });
  const micros = call("floor", operate(operate(value, "*", float(1_000_000)), "+", float(0.5)));
  return named("__micros", micros, (found) =>
    named("__seconds", call("floor", operate(found, "/", float(1_000_000))), (seconds) =>
      list(seconds, operate(less(found, operate(seconds, "*", float(1_000_000))), "*", float(1000))),
    ),
  );
};

const kindOf = (value: Expression): Expression => call("valueType", value);

/**
 * The instant of a value that is known only while the statement runs, as a list `[seconds, nanoseconds]`; null for
 * what is no instant. Stored text never reaches the database's own conversion, which fails the whole statement on a
 * text that it cannot read (README decision 39): the text is checked by its form and then reckoned with.
 */
export const instantExpression = (value: Expression): Expression =>
  named("__time", value, (time): Case => {
    const isNumber = operate(kindOf(time), "IN", list(text("INTEGER NOT NULL"), text("FLOAT NOT NULL")));
    const inRange = operate(
      compareBy(time, ">=", integer(firstSecond)),
      "AND",
      compareBy(time, "<=", integer(lastSecond)),
    );
    const alternatives = [
      { test: operate(time, "=~", text(`(?d)${instantPattern}`)), then: ofText(time) },
      { test: isNumber, then: when(inRange, ofNumber(time)) },
      {
        test: compareBy(kindOf(time), "=", text("ZONED DATETIME NOT NULL")),
        then: list(property(time, "epochSeconds"), property(time, "nanosecond")),
      },
    ];
    return {
      kind: "case",
      alternatives: alternatives.map(({ test, then }) => ({
        kind: "alternative",
        when: [test],
        then,
        at: -1,
      })),
      at: -1,
    };
  });
