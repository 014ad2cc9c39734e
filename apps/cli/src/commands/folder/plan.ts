import { simulationText } from "../../changes/simulation.ts";
import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { planText, differenceText } from "../../project-folder/difference-text.ts";
import { accessOf, type AccessOptions, addAccessOptions, failsOn } from "./access.ts";
import { compareFolder } from "./compare-folder.ts";

interface Options extends AccessOptions {
  readonly prune?: true;
  readonly exitCode?: true;
}

/** `ikg plan`: what `ikg apply` would do, and whose access would change. */
export const command: CommandModule<[folder: string], Options> = {
  description: [
    "What ikg apply would do to make the project what the files of ikg pull say, as a difference, and whose access that would give and take on the graph as it is. Nothing is stored. A record without a file stays, unless --prune is given.",
    "--fail-on is for CI: lost fails when anybody loses access, gained>100 when more than 100 pairs gain it; of an estimate the upper end counts. What cannot be judged fails, too: a policy whose parameters are missing (-p), or a question for which there was no time. Rows of queries are not looked at; ikg simulate compares those that its file names.",
  ],
  examples: [
    { does: "What would change?", command: "ikg plan airfield -p min_hours=100" },
    { does: "On a pull request", command: "ikg plan airfield -p min_hours=100 --fail-on lost" },
  ],
  exitCodes: { 0: "compared", 1: "--fail-on is exceeded, or --exit-code and there is a difference" },
  configure: (command) =>
    void addAccessOptions(command.argument("<folder>", "as ikg pull writes it"))
      .option("--prune", "deletes what has no file")
      .option("--exit-code", "1 if there is a difference"),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const admin = await openAdmin(invocation);
    const compared = await compareFolder(admin, args[0], { around, prune: options.prune === true });
    const isSame = compared.texts.length + compared.others.length === 0;
    const access = isSame ? undefined : await accessOf(admin, compared, options, around);
    const shown = isSame
      ? "Nothing to change.\n"
      : [
          await differenceText(compared, print.style),
          `${planText(compared)}\n`,
          ...(access === undefined ? [] : [simulationText(access, print.style, print.width)]),
        ].join("\n");
    await print.text(shown, { ...compared, ...(access !== undefined && { access }) });
    if (failsOn(access, options, around)) return 1;
    return options.exitCode === true && !isSame ? 1 : 0;
  },
};
