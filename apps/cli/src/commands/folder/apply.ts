import type { AppliedChanges, IkgAdmin } from "@ikg/client";
import { appliedText } from "../../changes/applied-text.ts";
import { showWarnings } from "../../project-folder/located-errors.ts";
import { openAdmin } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { confirm } from "../../program/confirm.ts";
import { applyDifferences } from "../../project-folder/apply-differences.ts";
import { conflictFault } from "../../project-folder/conflict-fault.ts";
import { countsOf } from "../../project-folder/difference-text.ts";
import { conflictsIn, type WrittenVersions } from "../../project-folder/versions.ts";
import type { CommandEnvironment } from "../../command-environment.ts";
import { accessOf, type AccessOptions, addAccessOptions, failuresOf, showFailures } from "./access.ts";
import { type ComparedFolder, compareFolder } from "./compare-folder.ts";
import { comparisonText } from "./comparison-text.ts";

interface Options extends AccessOptions {
  readonly prune?: true;
  readonly yes?: true;
  readonly message?: string;
}

/** @throws CommandFault if a record to be changed is not the version that an earlier command has shown */
const requireSeen = async (admin: IkgAdmin, { compared, seen, versions }: ComparedFolder): Promise<void> => {
  const before = seen.read();
  if (before === undefined || versions === undefined) return;
  const conflicts = conflictsIn([...compared.texts, ...compared.others], before.versions, versions);
  if (conflicts.length > 0) throw await conflictFault(admin, conflicts, `ikg ${before.command}`);
};

/** Applies the changes and stores the new versions of the records; after a failure only of those that were written. */
const applyAndRemember = async (
  admin: IkgAdmin,
  { compared, changes, since, versions, seen }: ComparedFolder,
  message: string | undefined,
  environment: CommandEnvironment,
): Promise<AppliedChanges | undefined> => {
  const written: WrittenVersions = new Map();
  const options = { changes, message, since, environment, versions, written };
  try {
    const applied = await applyDifferences(admin, compared, options);
    if (versions !== undefined) seen.write("apply", new Map([...versions, ...written]));
    return applied;
  } catch (error) {
    const before = seen.read();
    if (before !== undefined && written.size > 0)
      seen.write(before.command, new Map([...before.versions, ...written]));
    throw error;
  }
};

/** `ikg apply`: applies a folder to the project. */
export const command: CommandModule<[folder: string], Options> = {
  description: [
    "Applies a folder in the format of ikg pull to the project. Policies and queries are written as one atomic change set, which ikg history shows and ikg revert undoes; records of project.yaml are written before it, and rolled back if it is rejected. Records without a file are kept unless --prune is set: they are deleted last, and a failed deletion is reported without undoing the other changes. The command shows the output of ikg plan and asks for confirmation on a terminal; without a terminal, --yes is required. Changes take effect within two seconds.",
    "Records that have changed since the last ikg pull, plan or apply of this folder on this machine are not overwritten: nothing is applied, and the error says who changed them. Run ikg plan to review what would be overwritten, then apply again. Changes between the confirmation and the write are not overwritten either.",
    "The value of a secret written as ${VARIABLE} is read from the environment. If the variable is not set, an existing secret is kept; a new record requires it.",
  ],
  examples: [
    { purpose: "Apply the main branch in CI", command: 'ikg apply airfield --yes --message "as of main"' },
  ],
  exitCodes: { 0: "applied, or nothing to change", 1: "--fail-on is exceeded; nothing was changed" },
  configure: (command) =>
    void addAccessOptions(command.argument("<folder>", "folder in the format of ikg pull"))
      .option("--prune", "delete records without a file")
      .option("--message <text>", "reason; stored in the change record")
      .option("--yes", "apply without confirmation"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const { message, yes } = options;
    const admin = await openAdmin(invocation);
    const { url } = connectionOf(options, environment);
    const folder = await compareFolder(admin, args[0], { environment, prune: options.prune === true, url });
    const { compared, seen } = folder;
    if (compared.texts.length + compared.others.length === 0) {
      seen.write("apply", folder.versions);
      await print.text("Nothing to change.\n", { ...compared });
      return 0;
    }
    await requireSeen(admin, folder);
    const access = await accessOf(admin, folder, options, environment);
    const found = { ...compared, ...(access !== undefined && { access }) };
    const shown = await comparisonText(found, print);
    const failures = failuresOf(access, options);
    if (failures.length > 0) {
      await print.text(shown, found);
      showFailures(failures, environment);
      return 1;
    }
    if (yes !== true) environment.error(`${shown}\n`);
    await confirm(environment, { question: "Apply these changes?", refusal: "not applied", yes });
    const applied = await applyAndRemember(admin, folder, message, environment);
    if (applied !== undefined) showWarnings(folder.changes, applied.warnings, environment);
    const { created, changed, deleted } = countsOf(compared);
    const counts = `${created} created, ${changed} changed, ${deleted} deleted.\n`;
    const done = `${counts}${applied === undefined ? "" : appliedText(applied)}`;
    // With a confirmation, the differences have been shown already.
    await print.text(yes === true ? `${shown}\n${done}` : done, { ...found, applied });
    return 0;
  },
};
