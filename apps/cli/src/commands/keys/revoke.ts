import { openAdmin } from "../../connection/clients.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { addHolderOption, credentialsOf, type HolderOptions } from "./credentials.ts";

interface Options extends HolderOptions {
  readonly yes?: true;
}

/** `ikg keys revoke`. */
export const command: CommandModule<[id: string], Options> = {
  description: [
    "Calls with the key are refused within two seconds. It asks on a terminal; elsewhere --yes is needed.",
  ],
  examples: [
    {
      does: "The newest key of an agent",
      command: `ikg keys revoke "$(ikg keys list dispatch-agent -o json | jq -r '.[-1].id')" --yes`,
    },
  ],
  configure: (command) =>
    void addHolderOption(
      command.argument("<id>", "gid of the key: ikg keys list").option("--yes", "revokes without asking"),
    ),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const [id] = args;
    const credentials = credentialsOf(await openAdmin(invocation), options);
    const question = `Calls with ${id} will be refused.`;
    await confirm(around, { question, refusal: "not revoked", yes: options.yes });
    await credentials.revoke(id);
    await print.text(`${id} is revoked.\n`, { id });
  },
};
