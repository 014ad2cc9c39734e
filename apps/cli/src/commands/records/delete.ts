import { openAdmin } from "../../connection/clients.ts";
import { confirm } from "../../program/confirm.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { collectionArgument, inAnyState, openCollection } from "../../records/open-collection.ts";

interface Options {
  readonly yes?: true;
}

/** `ikg delete`. */
export const command: CommandModule<[collection: CollectionName, names: readonly string[]], Options> = {
  description: [
    "Deletes the records and everything that they contain. Asks for confirmation on a terminal; without a terminal, --yes is required.",
  ],
  examples: [{ purpose: "Delete a query", command: "ikg delete queries rated-pilots --yes" }],
  configure: (command) =>
    void command
      .argument("<collection>", "collection, see ikg get", collectionArgument)
      .argument("<names...>", "names or gids of records")
      .option("--yes", "delete without confirmation"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [name, records] = args;
    const collection = openCollection(await openAdmin(invocation), name);
    const found = await Promise.all(records.map((each) => collection.get(each)));
    const question = `${records.join(", ")} will be deleted with everything in it.`;
    await confirm(environment, { question, refusal: "not deleted", yes: options.yes });
    // A record may be named twice.
    const ids = [...new Set(found.map(({ id }) => id))];
    for (const id of ids) await collection.delete(id, inAnyState);
    await print.text(
      `${records.join(", ")}: deleted.\n`,
      ids.map((id) => ({ id })),
    );
  },
};
