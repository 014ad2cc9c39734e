import { omitUndefined, type Simulation, type SimulationRequest } from "@ikg/contracts";
import type { Evaluation } from "../decisions/decide.ts";
import { tokenOf } from "../decisions/token-of.ts";
import type { RunParts } from "./question-run.ts";
import type { DecideOnce } from "./try-pairs.ts";

/** Questions that are decided at one time. */
const questionsAtOnce = 256;

type Questions = NonNullable<SimulationRequest["questions"]>;

const evaluationOf = ({ subject, action, resource, context, token }: Questions[number]): Evaluation => ({
  subject,
  action,
  resource,
  context,
  token: token && tokenOf(token),
});

type Answers = NonNullable<Simulation["answers"]>;

/** An answer lacks what could not be decided in the time of a statement. */
interface QuestionAnswers {
  readonly complete: boolean;
  readonly answers: Answers;
}

/** Each question decided before and after, in their order. */
export const answerQuestions = async (
  { snapshots, options }: Pick<RunParts, "snapshots" | "options">,
  decide: DecideOnce,
  questions: Questions,
): Promise<QuestionAnswers> => {
  const answers: Answers = [];
  for (let at = 0; at < questions.length; at += questionsAtOnce) {
    options().signal?.throwIfAborted();
    const slice = questions.slice(at, at + questionsAtOnce).map(async (question) => {
      const evaluation = evaluationOf(question);
      const [before, after] = await Promise.all([
        decide(snapshots.before, evaluation),
        decide(snapshots.after, evaluation),
      ]);
      return omitUndefined({ before: before?.granted, after: after?.granted });
    });
    answers.push(...(await Promise.all(slice)));
  }
  return { complete: answers.every((each) => "before" in each && "after" in each), answers };
};
