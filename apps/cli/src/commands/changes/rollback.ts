import { collectionOf, recordReference, withVersion } from "../../changes/record-reference.ts";
import { openAdmin } from "../../connection/clients.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { inAnyState } from "../../records/open-collection.ts";

interface Options {
  readonly message?: string;
  readonly yes?: true;
}

/** `ikg rollback`: a new version with the content of a former one. */
export const command: CommandModule<[name: string, version: number], Options> = {
  description: [
    "Creates a new version of a policy or query with the content of a former version, which is validated again. Asks for confirmation on a terminal; without a terminal, --yes is required.",
  ],
  examples: [{ purpose: "Restore the first version", command: "ikg rollback may-fly 1 --yes" }],
  configure: (command) =>
    void command
      .argument(
        "<name>",
        "name of a policy or query; queries/NAME for a query that has the same name as a policy",
      )
      .argument("<version>", "number of the former version", wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .option("--message <text>", "reason; stored in the change record")
      .option("--yes", "roll back without confirmation"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [text, version] = args;
    const { message } = options;
    const admin = await openAdmin(invocation);
    const reference = recordReference(text);
    const collection = await collectionOf(admin, reference);
    const { name } = reference;
    const question = `${name} will be restored to version ${version}.`;
    await confirm(environment, { question, refusal: "not rolled back", yes: options.yes });
    const record = await withVersion(admin, collection, { name, version }, (): Promise<object> =>
      admin[collection].rollback(name, version, { message, ...inAnyState }),
    );
    await print.text(`${name} was restored to version ${version}.\n`, record);
  },
};
