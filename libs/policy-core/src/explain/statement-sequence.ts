/** Rows of one statement; undefined when it did not finish in its time or failed on the data. */
export type Answer = readonly Readonly<Record<string, unknown>>[] | undefined;

/**
 * Statements that depend on one another's answers: a generator that yields the text of a statement, receives its answer,
 * and continues until it returns. Every statement reads only, takes the one parameter `$__row`, and gives at most one row.
 */
export type StatementSequence<T> = Generator<string, T, Answer>;

/** Runs the statements against a database; `ask` runs one statement in READ mode, within a time limit of its own. */
export const runStatements = async <T>(
  sequence: StatementSequence<T>,
  ask: (statement: string) => Promise<Answer>,
): Promise<T> => {
  let turn = sequence.next();
  while (turn.done !== true) turn = sequence.next(await ask(turn.value));
  return turn.value;
};

/** The result of a binary search. */
interface FirstWithoutRow {
  readonly index: number;
  /** False when a statement did not finish: the part found is then the first after which no row was seen in time. */
  readonly certain: boolean;
}

/**
 * The first of `count` texts without a row, the last of which has none; each has only rows of the one before.
 * Runs a number of statements logarithmic in `count`.
 */
export function* firstWithoutRow(
  count: number,
  text: (index: number) => string,
): StatementSequence<FirstWithoutRow | undefined> {
  if (count === 0) return undefined;
  let certain = true;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const answer = yield text(middle);
    if (answer === undefined) certain = false;
    if (answer !== undefined && answer.length > 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, certain };
}
