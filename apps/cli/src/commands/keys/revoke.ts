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
    "Requests with the key are rejected within two seconds. Asks for confirmation on a terminal; without a terminal, --yes is required.",
  ],
  examples: [
    {
      purpose: "Revoke the newest key of an agent",
      command: `ikg keys revoke "$(ikg keys list dispatch-agent -o json | jq -r '.[-1].id')" --yes`,
    },
  ],
  configure: (command) =>
    void addHolderOption(
      command
        .argument("<id>", "gid of the key, see ikg keys list")
        .option("--yes", "revoke without confirmation"),
    ),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [id] = args;
    const credentials = credentialsOf(await openAdmin(invocation), options);
    const question = `Requests with ${id} will be rejected.`;
    await confirm(environment, { question, refusal: "not revoked", yes: options.yes });
    await credentials.revoke(id);
    await print.text(`${id} was revoked.\n`, { id });
  },
};
