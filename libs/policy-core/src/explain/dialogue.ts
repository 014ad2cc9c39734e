/** Rows of one statement; undefined when it did not finish in its time or failed on the data. */
export type Answer = readonly Readonly<Record<string, unknown>>[] | undefined;

/**
 * An explanation in the making: it gives out the text of a statement, takes its answer, and goes on until it can
 * tell. Every statement reads only, takes the one parameter `$__row`, and gives at most one row.
 */
export type Dialogue<T> = Generator<string, T, Answer>;

/** Holds a dialogue with a database; `ask` runs one statement in READ mode, within a time limit of its own. */
export const converse = async <T>(
  dialogue: Dialogue<T>,
  ask: (statement: string) => Promise<Answer>,
): Promise<T> => {
  let turn = dialogue.next();
  while (turn.done !== true) turn = dialogue.next(await ask(turn.value));
  return turn.value;
};
