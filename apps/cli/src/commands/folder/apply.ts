import type { AppliedChanges, IkgAdmin } from "@ikg/client";
import { appliedText } from "../../changes/applied-text.ts";
import { showWarnings } from "../../changes/placed-faults.ts";
import { openAdmin } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { confirm } from "../../program/confirm.ts";
import { applyDifferences } from "../../project-folder/apply-differences.ts";
import { conflictFault } from "../../project-folder/conflict-fault.ts";
import { countsOf } from "../../project-folder/difference-text.ts";
import { conflictsIn, type WrittenVersions } from "../../project-folder/versions.ts";
import type { Surroundings } from "../../surroundings.ts";
import { accessOf, type AccessOptions, addAccessOptions, failuresOf, showFailures } from "./access.ts";
import { type ComparedFolder, compareFolder } from "./compare-folder.ts";
import { comparisonText } from "./comparison-text.ts";

interface Options extends AccessOptions {
  readonly prune?: true;
  readonly yes?: true;
  readonly message?: string;
}

/** @throws CommandFault where a record that is to be changed is not what a command before has shown */
const requireSeen = async (admin: IkgAdmin, { compared, seen, versions }: ComparedFolder): Promise<void> => {
  const before = seen.read();
  if (before === undefined || versions === undefined) return;
  const conflicts = conflictsIn([...compared.texts, ...compared.others], before.versions, versions);
  if (conflicts.length > 0) throw await conflictFault(admin, conflicts, `ikg ${before.command}`);
};

/** Applies, and remembers what the records are then; after a failure, of those alone that were written. */
const applyAndRemember = async (
  admin: IkgAdmin,
  { compared, changes, since, versions, seen }: ComparedFolder,
  message: string | undefined,
  around: Surroundings,
): Promise<AppliedChanges | undefined> => {
  const written: WrittenVersions = new Map();
  const options = { changes, message, since, around, versions, written };
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

/** `ikg apply`: the project becomes what the folder says. */
export const command: CommandModule<[folder: string], Options> = {
  description: [
    "Makes the project what the files of ikg pull say. Policies and queries are one change set, all or nothing, which ikg history shows and ikg revert undoes; records of project.yaml are written before it, and taken back if it is refused. A record without a file stays, unless --prune is given: such records are deleted last, and one that cannot be deleted is named and leaves the rest applied. It shows what ikg plan shows, and asks on a terminal; elsewhere --yes is needed. What is applied is live within two seconds.",
    "A record that was changed since ikg pull, plan or apply showed it last for this folder, on this machine, is not overwritten: nothing is applied, and the error says who changed it. ikg plan shows what applying would undo; after that, it is applied. What changes between the showing and the applying is not overwritten either.",
    "A secret that stands as ${VARIABLE} comes from the environment; one that is not set there stays as it is, and a new record needs it.",
  ],
  examples: [
    { does: "In CI, on the main branch", command: 'ikg apply airfield --yes --message "as of main"' },
  ],
  exitCodes: { 0: "applied, or nothing to change", 1: "--fail-on is exceeded, and nothing was changed" },
  configure: (command) =>
    void addAccessOptions(command.argument("<folder>", "as ikg pull writes it"))
      .option("--prune", "deletes what has no file")
      .option("--message <text>", "why; kept in the change record")
      .option("--yes", "applies without asking"),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const { message, yes } = options;
    const admin = await openAdmin(invocation);
    const { url } = connectionOf(options, around);
    const folder = await compareFolder(admin, args[0], { around, prune: options.prune === true, url });
    const { compared, seen } = folder;
    if (compared.texts.length + compared.others.length === 0) {
      seen.write("apply", folder.versions);
      await print.text("Nothing to change.\n", { ...compared });
      return 0;
    }
    await requireSeen(admin, folder);
    const access = await accessOf(admin, folder, options, around);
    const found = { ...compared, ...(access !== undefined && { access }) };
    const shown = await comparisonText(found, print);
    const failures = failuresOf(access, options);
    if (failures.length > 0) {
      await print.text(shown, found);
      showFailures(failures, around);
      return 1;
    }
    if (yes !== true) around.error(`${shown}\n`);
    await confirm(around, { question: "Apply?", refusal: "not applied", yes });
    const applied = await applyAndRemember(admin, folder, message, around);
    if (applied !== undefined) showWarnings(folder.changes, applied.warnings, around);
    const { created, changed, deleted } = countsOf(compared);
    const counts = `${created} created, ${changed} changed, ${deleted} deleted.\n`;
    const done = `${counts}${applied === undefined ? "" : appliedText(applied)}`;
    // Who was asked has seen the differences already.
    await print.text(yes === true ? `${shown}\n${done}` : done, { ...found, applied });
    return 0;
  },
};
