import type { Refusal } from "./refusal.ts";

/** [text, pattern] */
const rows: readonly (readonly [string, string])[] = [
  ["look-around is not accepted", "(?=a)b"],
  ["back-references are not accepted", "(a)\\1"],
  ["octal escapes are not accepted; write \\x{…}", "\\07"],
  ["\\p is not accepted; write the characters or ranges in [ ]", "\\pL+"],
  ["\\y is not accepted", "\\y"],
  ["\\x takes two hexadecimal digits, or {…} with the number of a character", "\\x1"],
  ["the pattern ends too early", "a\\"],
  ['"(" without ")"', "(a"],
  ['")" without "("', "a)"],
  ['"[" without "]"', "[a"],
  ["[:letter:] is not a class", "[[:letter:]]"],
  ["the brackets hold no character", "[^\\x{0}-\\x{10FFFF}]"],
  ['a "-" between brackets must be first, last or in a range; write \\-', "[a-c-e]"],
  ["a range ends in a character", "[a-\\d]"],
  ["a range goes from the lower character to the higher", "[z-a]"],
  ["unknown kind of group", "(?#a)"],
  ["flags expected", "(?)"],
  ['the flag "x" is not accepted; flags are i and s', "(?x)a"],
  ["(?i) takes ASCII letters only; write both cases of others in [ ]", "(?i)é"],
  ['the group name "a" is used twice', "(?<a>b)(?<a>c)"],
  ['nothing that "*" could repeat', "*a"],
  ["an anchor cannot be repeated", "^*a"],
  ["a repetition cannot be repeated or possessive; write a group around it", "a++"],
  ["{n,m} goes from a number to one as high or higher, at most 1000", "a{2,1}"],
  ['write \\{ for the character "{"', "{a}"],
  ["groups nested deeper than 32", `${"(".repeat(33)}a${")".repeat(33)}`],
  ["repetitions written out exceed 1000 characters", "(?:a{100}){100}"],
  [
    'the next character must decide whether a repeated group continues or ends: instead of "(x-)*x" write "x(-x)*", instead of "(a|b)*" write "[ab]*"',
    "(a|b|ab)*",
  ],
  [
    "the expression can backtrack too much: at most two quantifiers such as .* may be followed by text that they also match",
    "a*a*a*a*",
  ],
  ["at most 256 characters", "a".repeat(257)],
];

/** Regular expressions that are not accepted; `example` is the pattern. */
export const patternRefusals: readonly Refusal[] = rows.map(([text, example]) => ({ text, example }));
