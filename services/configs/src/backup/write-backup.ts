import type { Writable } from "node:stream";
import type { SchemaState } from "@ikg/graph";
import { writeArchive } from "./archive.ts";
import { copyChain, type CopiedChain, readChains } from "./audit-copy.ts";
import { readContents } from "./contents.ts";
import { readDataVersion } from "./data-version.ts";
import type { BackupSettings } from "./settings.ts";
import { type UnitCopy, copyUnit } from "./snapshot.ts";
import type { RawDatabase } from "./source.ts";
import { platformUnits, projectUnit, readProjects } from "./units.ts";

/** The last line of a backup: what is in it. */
export interface Complete {
  readonly schema: SchemaState;
  readonly units: readonly UnitCopy[];
  readonly chains: readonly CopiedChain[];
  /** Projects whose graph is in a database of their own, which has backups of its own. */
  readonly elsewhere: readonly string[];
}

export interface BackupParts {
  readonly database: RawDatabase;
  readonly settings: BackupSettings;
  readonly out: Writable;
  readonly now: () => Date;
  /** Called after each unit. */
  readonly onUnit?: (copied: UnitCopy) => void;
}

/**
 * Copies a deployment while it runs: work under way, what belongs to no project, each project with its configuration and graph,
 * and the audit chains after them, so that they tell of every change that was copied.
 *
 * @throws SchemaMismatch for data that this build does not understand.
 */
export const writeBackup = async (parts: BackupParts): Promise<Complete> => {
  const { database, settings, out, now, onUnit } = parts;
  const { version } = await readDataVersion(database);
  const archive = await writeArchive(out, settings, now());
  const copying = { database, write: archive.write, now, holdMs: settings.BACKUP_HOLD_MS };
  const units: UnitCopy[] = [];
  const add = (copied: UnitCopy): void => {
    units.push(copied);
    onUnit?.(copied);
  };

  const { platform, work } = await platformUnits(database);
  await archive.write({ unit: work.name, attempt: 0 });
  const contents = await readContents(database, work, new Map(), archive.write);
  add({ ...contents, unit: work.name, attempt: 0, held_ms: 0 });
  const { copied, hashes } = await copyUnit({ ...copying, hashes: new Map() }, platform);
  add(copied);
  const projects = await readProjects(database);
  for (const project of projects)
    add((await copyUnit({ ...copying, hashes }, projectUnit(project), project)).copied);

  await archive.write({ unit: "audit", attempt: 0 });
  const chains: CopiedChain[] = [];
  for (const chain of await readChains(database))
    chains.push(await copyChain(database, chain, archive.write));
  const elsewhere = projects.filter(({ pk }) => pk === undefined).map(({ id }) => id);
  // What was migrated while it was copied is migrated once more, and read by builds that know what it led to.
  const { readableFrom } = await readDataVersion(database);
  const complete: Complete = { schema: { version, readableFrom }, units, chains, elsewhere };
  await archive.write({ complete });
  await archive.end();
  return complete;
};
