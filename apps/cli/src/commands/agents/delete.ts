import { openAdmin } from "../../connection/clients.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { inAnyState } from "../../records/open-collection.ts";

interface Options {
  readonly yes?: true;
}

/** `ikg agents delete`. */
export const command: CommandModule<[name: string], Options> = {
  description: [
    "Deletes the agent and its keys, but not the application. Asks for confirmation on a terminal; without a terminal, --yes is required.",
  ],
  examples: [{ purpose: "Delete an agent and its keys", command: "ikg agents delete tower --yes" }],
  configure: (command) =>
    void command
      .argument("<name>", "name or gid of the agent")
      .option("--yes", "delete without confirmation"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const admin = await openAdmin(invocation);
    const { id, name } = await admin.agents.get(args[0]);
    const question = `${name} will be deleted with its keys.`;
    await confirm(environment, { question, refusal: "not deleted", yes: options.yes });
    await admin.agents.delete(id, inAnyState);
    await print.text(`${name} was deleted.\n`, { id, name });
  },
};
