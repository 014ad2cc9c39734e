import { parseArgs } from "node:util";
import { readSettings } from "@ikg/service";
import { BackupSettings } from "./backup/settings.ts";
import type { UnitCopy } from "./backup/snapshot.ts";
import { openRaw, type RawDatabase } from "./backup/source.ts";
import { type Complete, writeBackup } from "./backup/write-backup.ts";
import { openOutput } from "./commands/output-file.ts";
import { runCommand, sayAs } from "./commands/run-command.ts";

const say = sayAs("backup");

const tell = ({ unit, nodes, relationships, consistent_at, held_ms, loose }: UnitCopy): void => {
  const held = held_ms === 0 ? "" : `, its writers held for ${held_ms} ms`;
  const left = loose === 0 ? "" : `, ${loose} relationships without an end left out`;
  const at = consistent_at === undefined ? "" : ` as of ${consistent_at}`;
  say(`${unit}: ${nodes} nodes, ${relationships} relationships${at}${held}${left}`);
};

/** Projects that were never found unchanged are in the backup, but not as they were at one moment. */
const report = ({ units, chains, elsewhere }: Complete): void => {
  const torn = units.filter(({ unit, consistent_at }) => unit !== "work" && consistent_at === undefined);
  for (const { unit, reason = "something else changed whenever it was read" } of torn)
    say(`${unit} was not found at one moment: ${reason}; back up again when it has less load`);
  for (const id of elsewhere)
    say(`${id} has its graph in a database of its own, which needs a backup of its own`);
  if (torn.length > 0) process.exitCode = 1;
  else say(`done: ${units.length} units, ${chains.length} audit chains`);
};

await runCommand(
  "backup",
  async () => {
    const { values } = parseArgs({
      options: { out: { type: "string" }, "print-settings": { type: "boolean" } },
    });
    const settings = readSettings(BackupSettings);
    if (values.out === undefined && process.stdout.isTTY) throw new Error("name a file: --out FILE");
    const output = await openOutput(values.out);
    let database: RawDatabase | undefined;
    try {
      database = await openRaw(settings);
      const complete = await writeBackup({
        ...{ database, settings, out: output.out },
        now: () => new Date(),
        onUnit: tell,
      });
      await output.end();
      report(complete);
    } catch (error) {
      await output.drop();
      throw error;
    } finally {
      await database?.close();
    }
  },
  2,
);
