import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";

/** `ikg context remove`: deletes a context and its credentials. */
export const command: CommandModule<[string]> = {
  description: ["Deletes the stored address and credentials; no request is sent to the deployment."],
  examples: [{ purpose: "Remove a context", command: "ikg context remove tower" }],
  configure: (command) => void command.argument("<name>", "name of the context"),
  run: async ({ args: [name], environment, print }) => {
    const file = readContextFile(environment);
    if (file.contexts[name] === undefined) throw new CommandFault(`unknown context ${name}`);
    const contexts = Object.fromEntries(Object.entries(file.contexts).filter(([each]) => each !== name));
    writeContextFile(environment, { contexts, ...(file.current !== name && { current: file.current }) });
    await print.text(`${name} was removed.\n`, { name });
  },
};
