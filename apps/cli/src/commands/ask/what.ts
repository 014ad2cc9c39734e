import type { Entity } from "@ikg/client";
import { openApplication } from "../../connection/clients.ts";
import { entityOf, typeOf } from "../../input/entity.ts";
import {
  addQuestionOptions,
  inputsOf,
  partsOf,
  type QuestionOptions,
  signedIn,
} from "../../input/question-options.ts";
import { addLimit, limitItems, pageSizeOf, type SearchLimit } from "../../input/search-options.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { foundColumns } from "./found-columns.ts";

type Options = QuestionOptions & SearchLimit;

/** `ikg what`: the resources on which a subject may perform an action. */
export const command: CommandModule<[subject: Entity, action: string, type: string], Options> = {
  description: ["Requests all pages; results are ordered by id."],
  examples: [
    { purpose: "What may Amelia fly?", command: "ikg what Pilot/amelia FLY Aircraft -p min_hours=100" },
    {
      purpose: "The first ten results",
      command: "ikg what Pilot/amelia FLY Aircraft -p min_hours=100 --limit 10",
    },
  ],
  configure: (command) =>
    void addLimit(
      addQuestionOptions(
        command
          .argument("<subject>", "Type/id", entityOf)
          .argument("<action>", "name of the action")
          .argument("<resource-type>", "type of the resources", typeOf),
      ),
    ),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [subject, action, type] = args;
    const parts = partsOf(options);
    const ikg = await openApplication(invocation);
    const person = ikg.as(await signedIn(parts.subject(subject), options, environment));
    const found = person.resources(parts.action(action), parts.resource({ type }), {
      ...inputsOf(options),
      pageSize: pageSizeOf(options, 1_000),
    });
    await print.rows(limitItems(found, options.limit), foundColumns, { none: "Nothing." });
  },
};
