import type { AppliedChanges, ChangeRecord, IkgAdmin } from "@ikg/client";
import { appliedText } from "../../changes/applied-text.ts";
import { findChange, revertOf } from "../../changes/find-change.ts";
import { openAdmin } from "../../connection/clients.ts";
import { transitionText } from "../../changes/transition-text.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../surroundings.ts";

interface Options {
  readonly message?: string;
  readonly force?: true;
  readonly yes?: true;
}

const filesAreBehind =
  "Files of an earlier ikg pull have what was undone, and ikg apply would make it again: ikg pull first.\n";

/** @throws CommandFault that says what was changed since, and how that is reverted, too */
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
        ? `${error.message}; --force reverts what was changed since, too`
        : `not reverted: change ${reverted.id} of ${reverted.create_time} has reverted it already; --force puts the same back once more`,
    );
  }
};

/** `ikg revert`: a change of its own. */
export const command: CommandModule<[id: string], Options> = {
  description: [
    "Puts back what the change replaced or deleted, and deletes what it created, all or nothing. That is a change of its own, which can be reverted, too; it is live within two seconds. Without --force it refuses where a record was changed since. It asks on a terminal; elsewhere --yes is needed.",
    "Files of an earlier ikg pull still have what was undone: pull again before the next ikg apply.",
  ],
  examples: [
    {
      does: "Undo the last change",
      command: `ikg revert "$(ikg history -o json | jq -r '.[0].id')" --message "not yet" --yes`,
    },
  ],
  configure: (command) =>
    void command
      .argument("<id>", "gid of the change record: ikg history")
      .option("--message <text>", "why; kept in the change record")
      .option("--force", "reverts also what was changed since")
      .option("--yes", "reverts without asking"),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const admin = await openAdmin(invocation);
    const record = await findChange(admin, args[0]);
    const question = `"${record.changes.map(transitionText).join(", ")}" will be undone.`;
    await confirm(around, { question, refusal: "not reverted", yes: options.yes });
    const applied = await revert(admin, record, options);
    const hint = applied.changes.length === 0 ? "" : filesAreBehind;
    await print.text(`${appliedText(applied)}${hint}`, applied);
  },
};
