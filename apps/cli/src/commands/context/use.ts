import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import { contextNamed, contextsOf } from "../../connection/contexts.ts";
import type { CommandModule } from "../../program/command-module.ts";

/** `ikg context use`. */
export const command: CommandModule<[string]> = {
  description: ["Commands without --context, IKG_CONTEXT or IKG_URL use it from now on."],
  examples: [{ does: "Another deployment", command: "ikg context use airfield" }],
  configure: (command) => void command.argument("<name>", "name of the context"),
  run: async ({ args: [name], around, print }) => {
    const { context } = contextNamed(contextsOf(around), name);
    writeContextFile(around, { ...readContextFile(around), current: name });
    await print.text(`${name} (${context.url}) is the current context.\n`, { name, url: context.url });
  },
};
