import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import { contextNamed, contextsOf } from "../../connection/contexts.ts";
import type { CommandModule } from "../../program/command-module.ts";

/** `ikg context use`. */
export const command: CommandModule<[string]> = {
  description: [
    "Sets the context of commands without --context, IKG_CONTEXT or IKG_URL. --project also sets the default project of the context.",
  ],
  examples: [
    { purpose: "Switch to another context", command: "ikg context use airfield" },
    {
      purpose: "Switch to another project of the deployment",
      command: "ikg context use airfield --project hangar",
    },
  ],
  configure: (command) => void command.argument("<name>", "name of the context"),
  run: async ({ args: [name], options, environment, print }) => {
    const { context } = contextNamed(contextsOf(environment), name);
    const { url, project } =
      options.project === undefined ? context : { ...context, project: options.project };
    const file = readContextFile(environment);
    const contexts =
      options.project === undefined ? file.contexts : { ...file.contexts, [name]: { ...context, project } };
    writeContextFile(environment, { contexts, current: name });
    const where = project === undefined ? url : `${url}, project ${project}`;
    await print.text(`${name} (${where}) is the current context.\n`, { name, url, project });
  },
};
