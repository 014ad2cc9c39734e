import type { Scalar } from "../src/filters/filter.ts";
import type { LeafOperator, UnaryLeafOperator } from "../src/filters/leaf-operators.ts";
import type { Truth } from "../src/filters/evaluate.ts";

type Value = Scalar | readonly Value[] | null;

/** One row: what `attribute operator value` is, in memory and in the database alike. */
export interface TruthRow {
  readonly attribute: Value;
  readonly operator: LeafOperator;
  readonly value?: Value;
  readonly truth: Truth;
  /** The value is a `datetime` object. */
  readonly instants?: true;
}

const row = (attribute: Value, operator: LeafOperator, value: Value, truth: Truth): TruthRow => ({
  attribute,
  operator,
  value,
  truth,
});

/** A row whose value is `{"type": "datetime", "value": …}`. */
const time = (attribute: Value, operator: LeafOperator, value: Value, truth: Truth): TruthRow => ({
  ...row(attribute, operator, value, truth),
  instants: true,
});

/** One value of each kind, in the order of the groups below and of the letters in each. */
export const kinds: readonly Value[] = [null, true, 1, "a", ["a"], []];

/**
 * A line for each operator, in it a group for each kind of attribute, in that a letter for each kind of value: T true,
 * F false, ? unknown.
 */
const grids: Readonly<Record<Exclude<LeafOperator, UnaryLeafOperator>, string>> = {
  // Attributes, and below each the values: n(ull), t(rue), 1, a (text), L(ist), e(mpty list).
  //   n      t      1      a      L      e
  //   nt1aLe nt1aLe nt1aLe nt1aLe nt1aLe nt1aLe
  "=": "?????? ?TFFFF ?FTFFF ?FFTFF ?FFFTF ?FFFFT",
  "<>": "?????? ?FTTTT ?TFTTT ?TTFTT ?TTTFT ?TTTTF",
  "<": "?????? ?????? ??F??? ???F?? ?????? ??????",
  ">": "?????? ?????? ??F??? ???F?? ?????? ??????",
  "<=": "?????? ?????? ??T??? ???T?? ?????? ??????",
  ">=": "?????? ?????? ??T??? ???T?? ?????? ??????",
  CONTAINS: "?????? ?????? ?????? ???T?? ?FFTFF ?FFFFF",
  "STARTS WITH": "?????? ?????? ?????? ???T?? ?????? ??????",
  "ENDS WITH": "?????? ?????? ?????? ???T?? ?????? ??????",
  "=~": "?????? ?????? ?????? ???T?? ?????? ??????",
  IN: "?????? ????FF ????FF ????TF ????FF ????FF",
};

const truths: Readonly<Record<string, Truth>> = { T: true, F: false, "?": null };

const gridRows = Object.entries(grids).flatMap(([operator, grid]) =>
  grid.split(" ").flatMap((group, of) =>
    Array.from(group, (truth, by) =>
      row(
        kinds[of] ?? null,
        operator as LeafOperator, // the keys of the grids
        kinds[by] ?? null,
        truths[truth] ?? null,
      ),
    ),
  ),
);

const timeRows: readonly TruthRow[] = [
  time("2026-01-01T00:00:00Z", "=", "2026-01-01T01:00:00+01:00", true),
  time("2026-01-01T00:00:00Z", "<>", "2026-01-01T01:00:00+01:00", false),
  time("2025-12-31T23:30:00-00:30", "=", "2026-01-01T00:00:00z", true),
  time("2026-01-01t00:00:00z", "=", "2026-01-01T00:00:00Z", true),
  time("2026-01-01T00:00:00-00:00", "=", "2026-01-01T00:00:00Z", true),
  time("2026-01-01T00:00:00.1Z", "=", "2026-01-01T00:00:00.100000000Z", true),
  time("2026-01-01T00:00:00.000000001Z", ">", "2026-01-01T00:00:00Z", true),
  time("2026-01-01T00:00:00.999999999Z", "<", "2026-01-01T00:00:01Z", true),
  time("2026-01-01T00:00:00.12Z", "<", "2026-01-01T00:00:00.1200001Z", true),
  time("2026-01-01T00:00:00Z", "<=", "2026-01-01T00:00:00Z", true),
  time("2026-01-01T00:00:00Z", ">=", "2026-01-01T00:00:00.5Z", false),
  time("1969-12-31T23:59:59.5Z", "<", "1970-01-01T00:00:00Z", true),
  time("1969-12-31T23:59:59.5Z", "=", -0.5, true),
  time("0000-01-01T00:00:00Z", "<", "0000-02-29T00:00:00Z", true),
  time("0000-01-01T00:00:00Z", "=", -62_167_219_200, true),
  time("9999-12-31T23:59:59Z", "=", 253_402_300_799, true),
  time("2024-02-29T12:00:00Z", "=", 1_709_208_000, true),
  time("2000-02-29T00:00:00Z", ">", "2000-02-28T23:59:59Z", true),
  time("2000-03-01T00:00:00Z", ">", "2000-02-29T23:59:59Z", true),
  time("1900-03-01T00:00:00Z", ">", "1900-02-28T23:59:59Z", true),
  time(1_767_225_600, "=", "2026-01-01T00:00:00Z", true),
  time(1_767_225_600.25, "=", "2026-01-01T00:00:00.25Z", true),
  time(1_767_225_600.1, "=", "2026-01-01T00:00:00.1Z", true),
  time(1_767_225_601, ">", "2026-01-01T00:00:00Z", true),
  time("2026-01-01T00:00:00Z", "<", 1_767_225_600.5, true),
  time(1_767_225_600_000, ">", "2026-01-01T00:00:00Z", null),
  time(253_402_300_800, ">", "2026-01-01T00:00:00Z", null),
  ...[
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T23:59:60Z",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+0100",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.1234567891Z",
    "2026-01-01T00:00:00Z\n",
    "2026-01-01",
    "10000-01-01T00:00:00Z",
    "-2026-01-01T00:00:00Z",
    "\u0662026-01-01T00:00:00Z",
    "hello",
    "",
    true,
    ["2026-01-01T00:00:00Z"],
    null,
  ].flatMap((odd) => [
    time(odd, "<", "2026-01-01T00:00:00Z", null),
    time(odd, "<>", "2026-01-01T00:00:00Z", null),
    time("2026-01-01T00:00:00Z", "=", odd, null),
  ]),
];

const astral = "\u{1F600}";
const high = "\uFFFD";

const orderRows: readonly TruthRow[] = [
  row(high, "<", astral, true),
  row(astral, "<", high, false),
  row(astral, ">", high, true),
  row(high, ">=", astral, false),
  row(`x${astral}`, ">", `x${high}`, true),
  row(`${high}${astral}`, "<", `${astral}${high}`, true),
  row("\uFFFF", "<", astral, true),
  row("\uFFFF!", "<", astral, true),
  row("\uFFFF", ">", "\uFFFE", true),
  row("\uFFFF\uFFFF", ">", "\uFFFF", true),
  row("\uD7FF", "<", "\uE000", true),
  row("\uD7FF", "<", astral, true),
  row(astral, "<=", astral, true),
  row(`${astral}a`, ">", astral, true),
  row("\u{10FFFF}", ">", "\u{10000}", true),
  row(1, "<", astral, null),
  row(["a"], "<", astral, null),
  row("\u00E4", ">", "z", true),
  row("", "<", "a", true),
];

const patternRows: readonly TruthRow[] = [
  row("reader", "=~", "read", false),
  row("reader", "=~", "read.*", true),
  row("a\nb", "=~", "a.b", false),
  row("a\rb", "=~", "a.b", true),
  row("a\u2028b", "=~", "a.b", true),
  row("a\nb", "=~", "(?s)a.b", true),
  row("a\n", "=~", "a$", false),
  row("a", "=~", "^a$", true),
  row(astral, "=~", ".", true),
  row(astral, "=~", "..", false),
  row("\u00E9", "=~", "\\w", false),
  row("\u0661", "=~", "\\d", false),
  row("\v", "=~", "\\s", false),
  row("K", "=~", "(?i)k", true),
  row("\u212A", "=~", "(?i)k", true),
  row("\u017F", "=~", "(?i)[a-z]", true),
  row("\u00C9", "=~", "[\u00C9\u00E9]", true),
  row("may read it", "=~", ".*\\bread\\b.*", true),
  row("may reader it", "=~", ".*\\bread\\b.*", false),
  row("\u00E9read\u00E9", "=~", ".*\\bread\\b.*", true),
  row("", "=~", "", true),
  row("a", "=~", "a|", true),
  row("a&b", "=~", "[a&&b]+", true),
  row("[", "=~", "[[]", true),
  row("x-1.y", "=~", "\\Qx-1.\\Ey", true),
  row("a".repeat(4096), "=~", "(?:ab?)+", true),
  row(astral.repeat(4096), "=~", ".*", true),
  row("a".repeat(4097), "=~", "a*", null),
  row("a".repeat(4097), "=~", "b", null),
  row(`${"a".repeat(4095)}!`, "=~", "(a+)+", false),
  row("ab".repeat(2048), "=~", "(?:a[bc])*", true),
];

/** The truth table of filters: the evaluator and the printed predicate must both fit it. */
export const truthTable: readonly TruthRow[] = [
  ...gridRows,
  ...timeRows,
  ...orderRows,
  ...patternRows,
  row(1, "=", 1, true),
  row(1, "=", 1.5, false),
  row(2.5, "=", 2.5, true),
  row("1", "=", 1, false),
  row(1, "=", "1", false),
  row(true, "=", true, true),
  row(true, "=", 1, false),
  row(true, "=", "true", false),
  row(null, "=", 1, null),
  row(1, "=", null, null),
  row(["a"], "=", ["a"], true),
  row(["a"], "=", ["b"], false),
  row(["a"], "=", "a", false),
  row(1, "<>", 2, true),
  row(1, "<>", "1", true),
  row(true, "<>", "true", true),
  row(null, "<>", 1, null),
  row(1, "<>", null, null),
  row(1, "<", 2, true),
  row(2, "<", 1, false),
  row(1, "<=", 1, true),
  row(2, ">", 1.5, true),
  row(2, ">=", 2, true),
  row("a", "<", "b", true),
  row("2026-01-01", "<", "2026-02-01", true),
  row("Z", "<", "a", true),
  row(1, "<", "2", null),
  row("1", "<", 2, null),
  row(true, ">", 1, null),
  row(["a"], "<", "b", null),
  row(null, "<", 1, null),
  row(1, ">=", null, null),
  row("reader", "CONTAINS", "read", true),
  row("read", "CONTAINS", "reader", false),
  row("read", "CONTAINS", "", true),
  row(["read", "write"], "CONTAINS", "read", true),
  row(["reader"], "CONTAINS", "read", false),
  row([1, 2], "CONTAINS", 2, true),
  row(5, "CONTAINS", "5", null),
  row("5", "CONTAINS", 5, null),
  row(null, "CONTAINS", "a", null),
  row("abc", "STARTS WITH", "ab", true),
  row("abc", "STARTS WITH", "b", false),
  row(5, "STARTS WITH", "5", null),
  row(null, "STARTS WITH", "5", null),
  row("abc", "ENDS WITH", "bc", true),
  row("abc", "ENDS WITH", "b", false),
  row(null, "ENDS WITH", "b", null),
  row("a", "IN", ["a", "b"], true),
  row("c", "IN", ["a", "b"], false),
  row(1, "IN", ["1", 1], true),
  row(1, "IN", ["1"], false),
  row("a", "IN", [], false),
  row(null, "IN", ["a"], null),
  row("a", "IN", null, null),
  row(null, "IN", [], null),
  row("a", "IN", ["b", null], null),
  row("a", "IN", ["a", null], true),
  row([1, 2], "=", [1, 2], true),
  row([1, 2], "=", [2, 1], false),
  row([1, 2], "=", [1], false),
  row([[1]], "=", [[1]], true),
  row([1, null], "=", [1, null], null),
  row([1, null], "=", [2, null], false),
  row([1], "IN", [[1], [2]], true),
  row([[1], [2]], "CONTAINS", [1], true),
  row([1], "CONTAINS", 1.5, false),
  row(-0, "=", 0, true),
  row(0, ">=", -0, true),
  row(-1, "<", -0.5, true),
  row(Infinity, ">", 1.7976931348623157e308, true),
  row(Infinity, ">=", Infinity, true),
  row(-Infinity, "<", Infinity, true),
  row(2 ** 53 + 1, "=", 9_007_199_254_740_992, true),
  row(9_007_199_254_740_994, ">", 9_007_199_254_740_992, true),
  row(0.1, "<", 0.1 + Number.EPSILON, true),
  { attribute: null, operator: "IS NULL", truth: true },
  { attribute: 1, operator: "IS NULL", truth: false },
  { attribute: "", operator: "IS NOT NULL", truth: true },
  { attribute: null, operator: "IS NOT NULL", truth: false },
];
