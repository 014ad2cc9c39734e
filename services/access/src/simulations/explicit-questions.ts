import type { Simulation, SimulationRequest } from "@ikg/contracts";
import type { Evaluation } from "../decisions/decide.ts";
import { tokenOf } from "./inputs.ts";
import type { RunParts } from "./question-run.ts";

/** Questions that are decided at one time. */
const questionsAtOnce = 256;

type Asked = NonNullable<SimulationRequest["questions"]>;

const evaluationOf = ({ subject, action, resource, context, token }: Asked[number]): Evaluation => ({
  subject,
  action,
  resource,
  context,
  token: token && tokenOf(token),
});

/** Each question decided before and after, in their order. */
export const answerQuestions = async (
  { decide, views, options }: RunParts,
  questions: Asked,
): Promise<NonNullable<Simulation["answers"]>> => {
  const answers: { before: boolean; after: boolean }[] = [];
  for (let at = 0; at < questions.length; at += questionsAtOnce) {
    options().signal?.throwIfAborted();
    const slice = questions.slice(at, at + questionsAtOnce).map(async (question) => {
      const evaluation = evaluationOf(question);
      const [before, after] = await Promise.all([
        decide(views.before, evaluation),
        decide(views.after, evaluation),
      ]);
      return { before: before.granted, after: after.granted };
    });
    answers.push(...(await Promise.all(slice)));
  }
  return answers;
};
