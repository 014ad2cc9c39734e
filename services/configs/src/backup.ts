import { open, rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { readSettings } from "@ikg/service";
import { BackupSettings } from "./backup/settings.ts";
import type { UnitCopy } from "./backup/snapshot.ts";
import { openRaw, type RawDatabase } from "./backup/source.ts";
import { type Complete, writeBackup } from "./backup/write-backup.ts";
import { runCommand } from "./run-command.ts";

const say = (line: string): void => void process.stderr.write(`backup: ${line}\n`);

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

/** To a file that is there when it is whole, or to standard output. */
const openOutput = async (file: string | undefined) => {
  if (file === undefined)
    return { out: process.stdout, end: async () => undefined, drop: async () => undefined };
  const part = `${file}.part`;
  const handle = await open(part, "wx", 0o600).catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException; // of `open`
    const reason = code === "EEXIST" ? "it is there: remove it unless another backup is writing it" : message;
    throw new Error(`${part} cannot be written: ${reason}`, { cause });
  });
  // Reported by the next write, and by `finished`.
  const out = handle.createWriteStream().on("error", () => undefined);
  return {
    out,
    end: async () => {
      out.end();
      await finished(out);
      await rename(part, file);
    },
    drop: () => rm(part, { force: true }),
  };
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
