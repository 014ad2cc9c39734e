/** The demo of `npm start`: loads the film archive, asks it questions, and shows how to ask more. */
import { join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import type { ClientEnvironment } from "../environment.ts";
import { askAll, UnexpectedAnswer } from "./answers.ts";
import { openDemoClient } from "./ask.ts";
import { type Issuer, openIssuer } from "./issuer.ts";
import { type Demo, loadDemo } from "./load.ts";
import { printCurl, printDecisions, printQuery, printSearch } from "./print.ts";
import { decisionQuestions, queryQuestions, searchQuestions } from "./questions.ts";

const questions = decisionQuestions.length + searchQuestions.length + queryQuestions.length;

const ask = (environment: ClientEnvironment, demo: Demo, issuer: Issuer) =>
  step(`demo: ${questions} questions asked`, () =>
    askAll(openDemoClient(environment.base_url, demo.apiKey, issuer), demo.changed),
  );

/** Asks; when something of the demo's data is gone since an earlier start, loads it again and asks once more. */
const loadAndAsk = async (environment: ClientEnvironment, folder: string, issuer: Issuer) => {
  const demo = await loadDemo(environment, folder, issuer);
  try {
    return { demo, answers: await ask(environment, demo, issuer) };
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer) || demo.loaded) throw error;
    const again = await loadDemo(environment, folder, issuer, { again: true });
    return { demo: again, answers: await ask(environment, again, issuer) };
  }
};

/**
 * Loads the demo if it is not there yet, asks its questions and prints the answers.
 *
 * @param home IKG_HOME; the demo keeps its key and its issuer in `demo/` there
 * @throws UserError when the API refuses something or an answer is not the expected one: one line that names it
 */
export const runDemo = async (environment: ClientEnvironment, home: string): Promise<void> => {
  const folder = join(home, "demo");
  const issuer = await openIssuer(join(folder, "issuer.json"));
  const { demo, answers } = await loadAndAsk(environment, folder, issuer);
  const lines = [
    "",
    ...printDecisions(answers.decisions),
    ...answers.searches.flatMap((each) => ["", ...printSearch(each.question, each.answer)]),
    ...answers.results.flatMap((each) => ["", ...printQuery(each.question, each.answer)]),
    "",
    ...(await printCurl(environment, demo, issuer)),
    "",
  ];
  for (const line of lines) say(line);
};
