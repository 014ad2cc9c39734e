import { parseArgs } from "node:util";
import { readSettings } from "@ikg/service";
import { readComplete, restoreBackup } from "./backup/restore-backup.ts";
import { BackupSettings } from "./backup/settings.ts";
import { openRaw } from "./backup/source.ts";
import type { Complete } from "./backup/write-backup.ts";
import { runCommand, sayAs } from "./commands/run-command.ts";

const say = sayAs("restore");

const report = ({ units, chains }: Complete): void => {
  for (const { unit, nodes, relationships, consistent_at = "no single moment" } of units)
    say(`${unit}: ${nodes} nodes, ${relationships} relationships as of ${consistent_at}`);
  say(`${chains.length} audit chains`);
};

await runCommand(
  "restore",
  async () => {
    const { values } = parseArgs({
      options: {
        in: { type: "string" },
        check: { type: "boolean", default: false },
        "print-settings": { type: "boolean" },
      },
    });
    const { in: file, check } = values;
    const settings = readSettings(BackupSettings);
    if (file === undefined) throw new Error("name a file: --in FILE");
    if (check) {
      report(await readComplete(file, settings));
      say("the backup is whole; nothing was restored");
      return;
    }
    const database = await openRaw(settings);
    try {
      report(await restoreBackup({ database, settings, file, onProgress: say }));
      say("done: everything is as it was copied, and every audit chain verifies");
    } finally {
      await database.close();
    }
  },
  2,
);
