import { lex } from "../../src/cypher/lex/lexer.ts";
import type { Token } from "../../src/cypher/lex/token.ts";

const words = new Set(["CASE", "WHEN", "THEN", "ELSE", "END"]);

/** Marks after which one of the words is a name. */
const beforeNames = new Set([".", ":", "&", "!", "$"]);

interface Open {
  /** Whether the conditions are truth values of their own and not values of a subject. */
  readonly truth: boolean;
}

const isName = (token: Token | undefined, next: Token | undefined): boolean =>
  (token?.kind === "mark" && beforeNames.has(token.mark)) || (next?.kind === "mark" && next.mark === ":");

/**
 * A statement with lists in the place of CASE: `CASE WHEN a THEN b ELSE c END` becomes `[null, NOT (a), b, c][0]`, which
 * sees the same names and takes the same conditions. The vendor's checker breaks down without a word on many a CASE (in
 * Cypher 5 when a subquery is inside, in Cypher 25 always), and the decision statements have all that matters in one.
 * Where this goes wrong the checker says so.
 */
export const withoutCase = (statement: string): string => {
  const tokens = lex(statement);
  const open: Open[] = [];
  let text = "";
  let copied = 0;
  const put = (token: Token, replacement: string): void => {
    text += statement.slice(copied, token.at) + replacement;
    copied = token.end;
  };
  tokens.forEach((token, index) => {
    if (token.kind !== "name" || !words.has(token.word)) return;
    const next = tokens[index + 1];
    if (isName(tokens[index - 1], next)) return;
    const innermost = open.at(-1);
    if (token.word === "CASE") {
      const truth = next?.kind === "name" && next.word === "WHEN";
      open.push({ truth });
      put(token, truth ? "[null" : "[null, ");
    } else if (innermost !== undefined) {
      if (token.word === "WHEN") put(token, innermost.truth ? ", NOT (" : ",");
      else if (token.word === "THEN") put(token, innermost.truth ? ")," : ",");
      else if (token.word === "ELSE") put(token, ",");
      else {
        put(token, "][0]");
        open.pop();
      }
    }
  });
  return text + statement.slice(copied);
};
