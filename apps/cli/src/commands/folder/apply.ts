import { appliedText } from "../../changes/applied-text.ts";
import { showWarnings } from "../../changes/placed-faults.ts";
import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { confirm } from "../../program/confirm.ts";
import { applyDifferences } from "../../project-folder/apply-differences.ts";
import { countsOf } from "../../project-folder/difference-text.ts";
import { accessOf, type AccessOptions, addAccessOptions, failuresOf, showFailures } from "./access.ts";
import { compareFolder } from "./compare-folder.ts";
import { comparisonText } from "./comparison-text.ts";

interface Options extends AccessOptions {
  readonly prune?: true;
  readonly yes?: true;
  readonly message?: string;
}

/** `ikg apply`: the project becomes what the folder says. */
export const command: CommandModule<[folder: string], Options> = {
  description: [
    "Makes the project what the files of ikg pull say. Policies and queries are one change set, all or nothing, which ikg history shows and ikg revert undoes; records of project.yaml are written before it, and taken back if it is refused. A record without a file stays, unless --prune is given: such records are deleted last, and one that cannot be deleted is named and leaves the rest applied. It shows what ikg plan shows, and asks on a terminal; elsewhere --yes is needed. What is applied is live within two seconds.",
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
    const folder = await compareFolder(admin, args[0], { around, prune: options.prune === true });
    const { compared, changes, since } = folder;
    if (compared.texts.length + compared.others.length === 0) {
      await print.text("Nothing to change.\n", { ...compared });
      return 0;
    }
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
    const applied = await applyDifferences(admin, compared, { changes, message, since, around });
    if (applied !== undefined) showWarnings(changes, applied.warnings, around);
    const { created, changed, deleted } = countsOf(compared);
    const counts = `${created} created, ${changed} changed, ${deleted} deleted.\n`;
    const done = `${counts}${applied === undefined ? "" : appliedText(applied)}`;
    // Who was asked has seen the differences already.
    await print.text(yes === true ? `${shown}\n${done}` : done, { ...found, applied });
    return 0;
  },
};
