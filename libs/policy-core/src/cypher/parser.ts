import { LexicalFault } from "./lex/lexical-fault.ts";
import { Reader, Refusal } from "./read/reader.ts";
import { deepestRecursion, deepestTree, tooDeep } from "./depth.ts";
import { checkTree } from "./read/checks.ts";
import { faultAt } from "./fault.ts";
import { lex } from "./lex/lexer.ts";
import { readExpression } from "./read/expressions.ts";
import { readPath } from "./read/patterns.ts";
import { readQuery } from "./read/clauses.ts";
import { readSubquery } from "./read/subquery.ts";
import type { Allowed, Rules } from "./read/reader.ts";
import type { Fault } from "./fault.ts";
import type { Query } from "./ast.ts";

export type { Allowed } from "./read/reader.ts";
export type { Fault } from "./fault.ts";

export type Parsed =
  | { readonly ok: true; readonly query: Query }
  | {
      readonly ok: false;
      /** At least one, in the order of the text. */
      readonly faults: readonly Fault[];
      /** The tree where nothing of the text had to be left out: good for finding more faults, never for use. */
      readonly query?: Query;
    };

const rules: Rules = {
  expression: readExpression,
  path: readPath,
  subquery: readSubquery,
  callBody: (reader) => readQuery(reader, "CALL"),
};

/**
 * Reads the text of a condition into its tree (policy language, section 5). Everything that is not known is
 * refused, all faults together. Takes time in proportion to the length; the caller bounds the length. Throws
 * nothing.
 */
export const parse = (text: string, allowed: Allowed): Parsed => {
  try {
    return read(new Reader(text, lex(text), allowed, rules));
  } catch (error) {
    if (!(error instanceof LexicalFault || error instanceof Refusal)) throw error;
    return { ok: false, faults: [faultAt(text, error.at, error.message)] };
  }
};

const read = (reader: Reader): Parsed => {
  const query = readQuery(reader, "top");
  const deep = tooDeep(query);
  if (deep !== undefined) {
    reader.note(
      `more than ${deepestTree} nested or ${deepestRecursion} joined operators are not allowed`,
      deep.at,
    );
    return { ok: false, faults: reader.faults };
  }
  checkTree(reader, query);
  const { faults } = reader;
  if (faults.length === 0) return { ok: true, query };
  return reader.whole ? { ok: false, faults, query } : { ok: false, faults };
};
