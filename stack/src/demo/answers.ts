/** All questions of the demo with the answers that came back, each held against the expected one. */
import { setTimeout as delay } from "node:timers/promises";
import { UserError } from "../../launch/user-error.mjs";
import type { DemoClient } from "./ask.ts";
import { decisionQuestions, queryQuestions, searchQuestions } from "./questions.ts";

/** A change of configuration reaches every process within this time. */
const takesEffectMs = 2_000;

/** An answer that is not the expected one: of a service with an error, or of data that was changed. */
export class UnexpectedAnswer extends UserError {}

const sorted = (values: readonly string[]): string => JSON.stringify([...values].sort());

/**
 * Repeats a question whose answer is not the expected one, but only while a change may not have arrived everywhere.
 *
 * @throws UnexpectedAnswer with one line: the request, the expected answer and the actual one
 */
const checked = async <T>(
  until: number,
  question: { readonly ask: string },
  ask: () => Promise<T>,
  expected: string,
  shown: (answer: T) => string,
): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (shown(answer) === expected) return answer;
    if (performance.now() >= until)
      throw new UnexpectedAnswer(
        `The demo asked "${question.ask}", expected ${expected} and was answered ${shown(answer)}. ` +
          "If its data was changed on purpose, delete the project film-archive or start with --no-demo.",
      );
    await delay(100);
  }
};

const verdict = (granted: boolean): string => (granted ? "granted" : "denied");

/**
 * Asks everything.
 *
 * @param changed something was written just now, so that an answer may still be the old one for a moment
 * @throws UnexpectedAnswer, and UserError when an answer is an error
 */
export const askAll = async (client: DemoClient, changed: boolean) => {
  const until = performance.now() + (changed ? takesEffectMs : 0);
  const decisions = [];
  for (const question of decisionQuestions) {
    const expected = verdict(question.expected);
    const answer = await checked(
      until,
      question,
      () => client.decide(question),
      expected,
      ({ decision }) => verdict(decision),
    );
    decisions.push({ question, answer });
  }
  const searches = [];
  for (const question of searchQuestions) {
    const answer = await checked(
      until,
      question,
      () => client.search(question),
      sorted(question.expected),
      sorted,
    );
    searches.push({ question, answer });
  }
  const results = [];
  for (const question of queryQuestions) {
    const [first] = question.columns;
    const answer = await checked(
      until,
      question,
      () => client.query(question),
      sorted(question.expected),
      (rows) =>
        sorted(rows.map((row) => String(first === undefined ? undefined : row[first.from]?.[first.path]))),
    );
    results.push({ question, answer });
  }
  return { decisions, searches, results };
};
