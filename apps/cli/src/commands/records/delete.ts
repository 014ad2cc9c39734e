import { openAdmin } from "../../connection/clients.ts";
import { confirm } from "../../program/confirm.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { collectionArgument, openCollection } from "../../records/open-collection.ts";

interface Options {
  readonly yes?: true;
}

/** `ikg delete`. */
export const command: CommandModule<[collection: CollectionName, names: readonly string[]], Options> = {
  description: [
    "With everything that the records contain. It asks on a terminal; elsewhere --yes is needed.",
  ],
  examples: [{ does: "A query", command: "ikg delete queries rated-pilots --yes" }],
  configure: (command) =>
    void command
      .argument("<collection>", "as for ikg get", collectionArgument)
      .argument("<names...>", "names or gids of records")
      .option("--yes", "deletes without asking"),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const [name, records] = args;
    const collection = openCollection(await openAdmin(invocation), name);
    const found = await Promise.all(records.map((each) => collection.get(each)));
    const question = `${records.join(", ")} will be deleted, with all that it contains.`;
    await confirm(around, { question, refusal: "not deleted", yes: options.yes });
    for (const { id } of found) await collection.delete(id);
    const ids = found.map(({ id }) => ({ id }));
    await print.text(`${records.join(", ")}: deleted.\n`, ids);
  },
};
