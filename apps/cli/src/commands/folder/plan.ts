import type { IkgAdmin } from "@ikg/client";
import { showWarnings } from "../../project-folder/located-errors.ts";
import { openAdmin } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import type { CommandEnvironment } from "../../command-environment.ts";
import { accessOf, type AccessOptions, addAccessOptions, failuresOf, showFailures } from "./access.ts";
import { type ComparedFolder, compareFolder, withFolder } from "./compare-folder.ts";
import { comparisonText } from "./comparison-text.ts";

interface Options extends AccessOptions {
  readonly prune?: true;
  readonly exitCode?: true;
}

/** Shows the warnings of the suite. @throws CommandFault with the errors with which `ikg apply` would fail */
const validateChanges = async (
  admin: IkgAdmin,
  folder: ComparedFolder,
  environment: CommandEnvironment,
): Promise<void> => {
  const { changes } = folder.changes;
  if (changes.length === 0) return;
  const { warnings } = await withFolder(admin, folder, environment, () =>
    admin.changes.apply(changes, { dryRun: true }),
  );
  showWarnings(folder.changes, warnings, environment);
};

/** `ikg plan`: what `ikg apply` would do, and whose access would change. */
export const command: CommandModule<[folder: string], Options> = {
  description: [
    "Shows the changes that ikg apply would make as a diff, and whose access they would grant or revoke on the current graph. Nothing is stored. The suite validates the changes: errors and warnings are shown with file and line. Records without a file are kept unless --prune is set.",
    "The current versions of the records are stored locally, below XDG_STATE_HOME or ~/.local/state: a later ikg apply of the same folder does not overwrite records that have changed since.",
    "A policy whose parameters (-p) are missing grants nothing before and after: it is not evaluated, which is reported as a warning and as ? in the table.",
    "--fail-on is for CI: lost fails if any access is lost, gained>100 fails if more than 100 pairs are gained; of an estimate, the upper bound counts. Whatever cannot be evaluated also fails: a policy whose parameters are missing (-p), or a question that exceeded the time limit. Rows of queries are not compared; ikg simulate compares those of the queries that its file names.",
  ],
  examples: [
    { purpose: "Show what would change", command: "ikg plan airfield -p min_hours=100" },
    { purpose: "Check a pull request", command: "ikg plan airfield -p min_hours=100 --fail-on lost" },
  ],
  exitCodes: { 0: "compared", 1: "--fail-on is exceeded, or there is a difference and --exit-code is set" },
  configure: (command) =>
    void addAccessOptions(command.argument("<folder>", "folder in the format of ikg pull"))
      .option("--prune", "delete records without a file")
      .option("--exit-code", "exit with code 1 if there is a difference"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const admin = await openAdmin(invocation);
    const { url } = connectionOf(options, environment);
    const prune = options.prune === true;
    const folder = await compareFolder(admin, args[0], { environment, prune, url });
    const { compared } = folder;
    const isSame = compared.texts.length + compared.others.length === 0;
    await validateChanges(admin, folder, environment);
    const access = await accessOf(admin, folder, options, environment);
    const found = { ...compared, ...(access !== undefined && { access }) };
    await print.text(isSame ? "Nothing to change.\n" : await comparisonText(found, print), found);
    folder.seen.write("plan", folder.versions);
    const failures = failuresOf(access, options);
    showFailures(failures, environment);
    return failures.length > 0 || (options.exitCode === true && !isSame) ? 1 : 0;
  },
};
