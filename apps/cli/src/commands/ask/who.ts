import type { Entity } from "@ikg/client";
import { openApplication } from "../../connection/clients.ts";
import { entityOf, typeOf } from "../../input/entity.ts";
import { addQuestionOptions, inputsOf, partsOf, type QuestionOptions } from "../../input/question-options.ts";
import { addLimit, limitItems, pageSizeOf, type SearchLimit } from "../../input/search-options.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { foundColumns } from "./found-columns.ts";

type Options = QuestionOptions & SearchLimit;

/** `ikg who`: the subjects that may perform an action on a resource. */
export const command: CommandModule<[type: string, action: string, resource: Entity], Options> = {
  description: ["Requests all pages; results are ordered by id."],
  examples: [
    { purpose: "Who may fly this aircraft?", command: "ikg who Pilot FLY Aircraft/N211 -p min_hours=100" },
    {
      purpose: "Their ids, one per line",
      command: "ikg who Pilot FLY Aircraft/N211 -p min_hours=100 -o ndjson | jq -r .id",
    },
  ],
  configure: (command) =>
    void addLimit(
      addQuestionOptions(
        command
          .argument("<subject-type>", "type of the subjects", typeOf)
          .argument("<action>", "name of the action")
          .argument("<resource>", "Type/id", entityOf),
      ),
    ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const [type, action, resource] = args;
    const parts = partsOf(options);
    const ikg = await openApplication(invocation);
    const found = ikg.subjects(parts.subject({ type }), parts.action(action), parts.resource(resource), {
      ...inputsOf(options),
      pageSize: pageSizeOf(options, 1_000),
    });
    await print.rows(limitItems(found, options.limit), foundColumns, { none: "None." });
  },
};
