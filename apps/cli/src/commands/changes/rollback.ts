import { collectionOf, recordReference, withVersion } from "../../changes/record-reference.ts";
import { openAdmin } from "../../connection/clients.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options {
  readonly message?: string;
  readonly yes?: true;
}

/** `ikg rollback`: a new version with the content of a former one. */
export const command: CommandModule<[name: string, version: number], Options> = {
  description: [
    "Makes a new version of a policy or query with the content of a former one, judged by today's rules. It asks on a terminal; elsewhere --yes is needed.",
  ],
  examples: [{ does: "Back to the first version", command: "ikg rollback may-fly 1 --yes" }],
  configure: (command) =>
    void command
      .argument("<name>", "name of a policy or query; queries/NAME where a policy has the same name")
      .argument("<version>", "the former version", wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .option("--message <text>", "why; kept in the change record")
      .option("--yes", "rolls back without asking"),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const [text, version] = args;
    const { message } = options;
    const admin = await openAdmin(invocation);
    const reference = recordReference(text);
    const collection = await collectionOf(admin, reference);
    const { name } = reference;
    const question = `${name} will be as it was in version ${version}.`;
    await confirm(around, { question, refusal: "not rolled back", yes: options.yes });
    const record = await withVersion(admin, collection, { name, version }, (): Promise<object> =>
      admin[collection].rollback(name, version, { message }),
    );
    await print.text(`${name} is as it was in version ${version}.\n`, record);
  },
};
