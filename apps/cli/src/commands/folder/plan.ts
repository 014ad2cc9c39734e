import type { IkgAdmin } from "@ikg/client";
import { showWarnings } from "../../changes/placed-faults.ts";
import { openAdmin } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import type { Surroundings } from "../../surroundings.ts";
import { accessOf, type AccessOptions, addAccessOptions, failuresOf, showFailures } from "./access.ts";
import { type ComparedFolder, compareFolder, withFolder } from "./compare-folder.ts";
import { comparisonText } from "./comparison-text.ts";

interface Options extends AccessOptions {
  readonly prune?: true;
  readonly exitCode?: true;
}

/** Shows what the suite warns of. @throws CommandFault with what it refuses, so that `ikg apply` would fail */
const tryChanges = async (admin: IkgAdmin, folder: ComparedFolder, around: Surroundings): Promise<void> => {
  const { changes } = folder.changes;
  if (changes.length === 0) return;
  const { warnings } = await withFolder(admin, folder, around, () =>
    admin.changes.apply(changes, { dryRun: true }),
  );
  showWarnings(folder.changes, warnings, around);
};

/** `ikg plan`: what `ikg apply` would do, and whose access would change. */
export const command: CommandModule<[folder: string], Options> = {
  description: [
    "What ikg apply would do to make the project what the files of ikg pull say, as a difference, and whose access that would give and take on the graph as it is. Nothing is stored. The suite tries the changes: what it refuses or warns of has its file and line. A record without a file stays, unless --prune is given.",
    "What the records are now is remembered here, below XDG_STATE_HOME or ~/.local/state: ikg apply of the same folder overwrites nothing that is changed after this.",
    "A policy whose parameters (-p) are missing grants nothing before and after: it is not judged, a warning says so, and the table has ?.",
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
    const { url } = connectionOf(options, around);
    const prune = options.prune === true;
    const folder = await compareFolder(admin, args[0], { around, prune, url });
    const { compared } = folder;
    const isSame = compared.texts.length + compared.others.length === 0;
    await tryChanges(admin, folder, around);
    const access = await accessOf(admin, folder, options, around);
    const found = { ...compared, ...(access !== undefined && { access }) };
    await print.text(isSame ? "Nothing to change.\n" : await comparisonText(found, print), found);
    folder.seen.write("plan", folder.versions);
    const failures = failuresOf(access, options);
    showFailures(failures, around);
    return failures.length > 0 || (options.exitCode === true && !isSame) ? 1 : 0;
  },
};
