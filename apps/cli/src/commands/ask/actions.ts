import type { Entity } from "@ikg/client";
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
import { collect } from "../../output/collect.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options extends QuestionOptions {
  readonly explain?: true;
}

/** `ikg actions`: the actions that a subject may perform on a resource. */
export const command: CommandModule<[subject: Entity, resource: Entity], Options> = {
  description: [
    "--explain shows the result of each policy for every action; it requires the permission ReadAuthZConfigs.",
  ],
  examples: [
    {
      purpose: "What may Amelia do with this aircraft?",
      command: "ikg actions Pilot/amelia Aircraft/N211 -p min_hours=100",
    },
    {
      purpose: "The reasons for each action",
      command: "ikg actions Pilot/louis Aircraft/N211 -p min_hours=100 --explain",
    },
  ],
  configure: (command) =>
    void addQuestionOptions(
      command.argument("<subject>", "Type/id", entityOf).argument("<resource>", "Type/id", entityOf),
    ).option("--explain", "show the result of each policy, with reasons"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [subject, resource] = args;
    const parts = partsOf(options);
    const ikg = await openApplication(invocation);
    const person = ikg.as(await signedIn(parts.subject(subject), options, environment));
    const found = person.actions(parts.resource(resource), {
      ...inputsOf(options),
      explain: options.explain,
    });
    if (options.explain !== true) {
      await print.rows(found, [{ header: "ACTION", value: ({ name }) => name }], { none: "No actions." });
      return;
    }
    const pages = await collect(found.pages());
    const actions = pages.flatMap(({ items }) => items.map(({ name }) => name));
    const explanation = pages.flatMap((page) => page.explanation ?? []);
    const text = treeText({
      text: shownCell(`${entityText(subject)} … ${entityText(resource)}`),
      below: explanation.map((each) => ({
        text: `${each.action}: ${actions.includes(each.action) ? print.style("good", "granted") : print.style("bad", "denied")}`,
        below: candidateBranches(each, subject, print.style),
      })),
    });
    await print.text(text, { actions, explanation });
  },
};
