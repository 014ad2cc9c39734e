import { appliedText } from "../../changes/applied-text.ts";
import { openAdmin } from "../../connection/clients.ts";
import { transitionText } from "../../changes/transition-text.ts";
import { confirm } from "../../program/confirm.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options {
  readonly message?: string;
  readonly force?: true;
  readonly yes?: true;
}

/** `ikg revert`: a change of its own. */
export const command: CommandModule<[id: string], Options> = {
  description: [
    "Puts back what the change replaced or deleted, and deletes what it created, all or nothing. That is a change of its own, which can be reverted, too. Without --force it refuses where a record was changed since. It asks on a terminal; elsewhere --yes is needed.",
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
    const [id] = args;
    const { message, force } = options;
    const { changes } = await openAdmin(invocation);
    const record = await changes.get(id);
    await confirm(around, `"${record.changes.map(transitionText).join(", ")}" will be undone.`, options.yes);
    const applied = await changes.revert(id, { message, force });
    await print.text(appliedText(applied), applied);
  },
};
