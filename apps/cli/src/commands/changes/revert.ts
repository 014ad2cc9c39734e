import type { AppliedChanges, ChangeRecord, IkgAdmin } from "@ikg/client";
import { appliedText } from "../../changes/applied-text.ts";
import { findChange, revertOf } from "../../changes/find-change.ts";
import { openAdmin } from "../../connection/clients.ts";
import { transitionText } from "../../changes/transition-text.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";

interface Options {
  readonly message?: string;
  readonly force?: true;
  readonly yes?: true;
}

const filesAreBehind =
  "Files of an earlier ikg pull still contain the reverted change: run ikg pull before the next ikg apply.\n";

/** @throws CommandFault if records have changed since, or the change has already been reverted */
const revert = async (
  admin: IkgAdmin,
  record: ChangeRecord,
  { message, force }: Options,
): Promise<AppliedChanges> => {
  try {
    return await admin.changes.revert(record.id, { message, force });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "conflict")) throw error;
    const reverted = await revertOf(admin, record);
    throw new CommandFault(
      reverted === undefined
        ? `${error.message}; use --force to revert nevertheless`
        : `not reverted: change ${reverted.id} of ${reverted.create_time} has already reverted it; use --force to revert again`,
    );
  }
};

/** `ikg revert`: undoes a change with a new one. */
export const command: CommandModule<[id: string], Options> = {
  description: [
    "Restores what the change replaced or deleted, and deletes what it created, as one atomic change. The revert is a change record itself, which can also be reverted; it takes effect within two seconds. The command fails if a record has changed since, unless --force is set. Asks for confirmation on a terminal; without a terminal, --yes is required.",
    "Files of an earlier ikg pull still contain the reverted change: run ikg pull before the next ikg apply.",
  ],
  examples: [
    {
      purpose: "Undo the last change",
      command: `ikg revert "$(ikg history -o json | jq -r '.[0].id')" --message "not yet" --yes`,
    },
  ],
  configure: (command) =>
    void command
      .argument("<id>", "gid of the change record, see ikg history")
      .option("--message <text>", "reason; stored in the change record")
      .option("--force", "revert even if records have changed since")
      .option("--yes", "revert without confirmation"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const admin = await openAdmin(invocation);
    const record = await findChange(admin, args[0]);
    const question = `"${record.changes.map(transitionText).join(", ")}" will be undone.`;
    await confirm(environment, { question, refusal: "not reverted", yes: options.yes });
    const applied = await revert(admin, record, options);
    const hint = applied.changes.length === 0 ? "" : filesAreBehind;
    await print.text(`${appliedText(applied)}${hint}`, applied);
  },
};
