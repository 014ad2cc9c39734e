import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../surroundings.ts";

/** `ikg context remove`: forgets the credentials, too. */
export const command: CommandModule<[string]> = {
  description: ["Address and credentials are forgotten; the deployment is not called."],
  examples: [{ does: "A deployment that is gone", command: "ikg context remove tower" }],
  configure: (command) => void command.argument("<name>", "name of the context"),
  run: async ({ args: [name], around, print }) => {
    const file = readContextFile(around);
    if (file.contexts[name] === undefined) throw new CommandFault(`there is no context ${name} to remove`);
    const contexts = Object.fromEntries(Object.entries(file.contexts).filter(([each]) => each !== name));
    writeContextFile(around, { contexts, ...(file.current !== name && { current: file.current }) });
    await print.text(`${name} is removed.\n`, { name });
  },
};
