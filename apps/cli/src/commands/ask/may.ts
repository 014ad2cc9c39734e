import type { Decision, Entity } from "@ikg/client";
import { openApplication } from "../../connection/clients.ts";
import { candidateBranches } from "../../explain/candidate.ts";
import { treeText } from "../../explain/tree.ts";
import { entityOf, entityText } from "../../input/entity.ts";
import {
  addQuestionOptions,
  inputsOf,
  partsOf,
  type QuestionOptions,
  signedIn,
} from "../../input/question-options.ts";
import { shownCell } from "../../output/cell.ts";
import type { Style } from "../../output/style.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options extends QuestionOptions {
  readonly explain?: true;
}

type Args = [subject: Entity, action: string, resource: Entity];

const verdict = ({ decision, context }: Decision, style: Style): string => {
  const word = decision ? style("good", "granted") : style("bad", "denied");
  return context?.reason === undefined ? word : `${word}: ${shownCell(context.reason)}`;
};

const adviceLines = ({ context }: Decision): readonly string[] =>
  (context?.advice ?? []).map(
    (advice) =>
      `advice: ${Object.entries(advice)
        .map(([name, value]) => `${name}=${shownCell(value)}`)
        .join(", ")}`,
  );

/** The decision as text: one word, followed by a tree of policies if there is an explanation. */
const textOf = (decision: Decision, [subject, action, resource]: Args, style: Style): string => {
  const explanation = decision.context?.explanation;
  const advice = adviceLines(decision);
  if (explanation === undefined)
    return [verdict(decision, style), ...advice].map((line) => `${line}\n`).join("");
  const question = shownCell(`${entityText(subject)} ${action} ${entityText(resource)}`);
  return treeText({
    text: `${question}: ${verdict(decision, style)}`,
    below: [...advice.map((text) => ({ text })), ...candidateBranches(explanation, subject, style)],
  });
};

/** `ikg may`: one decision. */
export const command: CommandModule<Args, Options> = {
  description: [
    "The request is made as the application agent of the context. --explain shows the result of each policy and the path that grants access; it requires the permission ReadAuthZConfigs.",
    "Values of -p are parsed as JSON if possible: min_hours=100 is a number, model=dc3 is text, and code='\"100\"' is the text 100.",
  ],
  examples: [
    { purpose: "One decision", command: "ikg may Pilot/amelia FLY Aircraft/N211 -p min_hours=100" },
    {
      purpose: "The result of each policy",
      command: "ikg may Pilot/louis FLY Aircraft/N211 -p min_hours=100 --explain",
      exits: 1,
    },
    {
      purpose: "Use the exit code in a script",
      command: "ikg may Pilot/louis FLY Aircraft/N211 -p min_hours=100 >/dev/null || echo no",
    },
  ],
  exitCodes: { 0: "granted", 1: "denied" },
  configure: (command) =>
    void addQuestionOptions(
      command
        .argument("<subject>", "Type/id", entityOf)
        .argument("<action>", "name of the action")
        .argument("<resource>", "Type/id", entityOf),
    ).option("--explain", "show the result of each policy, with reasons"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [subject, action, resource] = args;
    const parts = partsOf(options);
    const person = (await openApplication(invocation)).as(
      await signedIn(parts.subject(subject), options, environment),
    );
    const decision = await person.decide(parts.action(action), parts.resource(resource), {
      ...inputsOf(options),
      explain: options.explain,
      join: false,
    });
    await print.text(textOf(decision, args, print.style), decision);
    return decision.decision ? 0 : 1;
  },
};
