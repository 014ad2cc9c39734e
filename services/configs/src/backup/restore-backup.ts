import { openDatabase } from "../commands/command-database.ts";
import { readArchive } from "./archive.ts";
import type { AuditLine } from "./audit-copy.ts";
import { type Contents, type NodeHashes, readContents } from "./contents.ts";
import { requireUnderstood, setDataVersion } from "./data-version.ts";
import type { NodeLine, RelationshipLine } from "./elements.ts";
import { elementWriter, type ElementWriter } from "./restore-elements.ts";
import type { BackupSettings } from "./settings.ts";
import type { UnitCopy } from "./snapshot.ts";
import type { RawDatabase } from "./source.ts";
import { platformUnits, projectUnit, readProjects, type Unit } from "./units.ts";
import { verifyChains } from "./verify-chains.ts";
import type { Complete } from "./write-backup.ts";

export interface RestoreParts {
  readonly database: RawDatabase;
  readonly settings: BackupSettings;
  readonly file: string;
  readonly onProgress?: (text: string) => void;
}

/** Reads a whole backup. @returns its last line @throws Error when it was changed, or is cut off */
export const readComplete = async (file: string, settings: BackupSettings): Promise<Complete> => {
  let complete: Complete | undefined;
  for await (const line of readArchive(file, settings))
    if ("complete" in line) complete = line.complete as Complete;
  if (complete === undefined) throw new Error("the backup is cut off");
  return complete;
};

/** @throws Error when the database holds anything besides the claim that a prepared one has. */
const requireEmpty = async (database: RawDatabase): Promise<void> => {
  const found = await database.read("MATCH (n) WHERE NOT n:_Claim RETURN 1 LIMIT 1");
  if (found.length > 0) throw new Error("the database holds data; restore into an empty one");
};

/** Constraints and indexes first: what is restored is looked up by them. */
const prepare = async (settings: BackupSettings): Promise<void> => {
  const graph = openDatabase(settings);
  try {
    await graph.prepare();
  } finally {
    await graph.close();
  }
};

type Line = NodeLine | RelationshipLine | AuditLine | { readonly unit: string; readonly attempt: number };

/** Writes the copies that count. */
const writeAll = async ({ database, settings, file }: RestoreParts, complete: Complete): Promise<void> => {
  const attempts = new Map(complete.units.map(({ unit, attempt }) => [unit, attempt]));
  const ofPlatform = new Map<string, string>();
  let current: ElementWriter | undefined;
  let number = 0;
  for await (const each of readArchive(file, settings)) {
    const line = each as Line; // written by `writeBackup`
    if ("unit" in line) {
      await current?.flush();
      const isCounted = (attempts.get(line.unit) ?? 0) === line.attempt;
      const known = line.unit === "platform" ? ofPlatform : new Map(ofPlatform);
      current = isCounted ? elementWriter(database, known) : undefined;
    } else if (current === undefined) continue;
    else if ("n" in line) await current.node(...line.n);
    else if ("r" in line) await current.relationship(...line.r);
    else if ("a" in line) await current.node(`audit ${number++}`, [line.a[0]], line.a[1]);
  }
  await current?.flush();
};

const differs = (one: Contents, other: Contents): boolean =>
  one.nodes !== other.nodes || one.relationships !== other.relationships || one.digest !== other.digest;

/** Reads again what was restored, and compares it with what was copied. */
const compareAll = async (database: RawDatabase, complete: Complete): Promise<readonly string[]> => {
  const copied = new Map<string, UnitCopy>(complete.units.map((each) => [each.unit, each]));
  const faults: string[] = [];
  const compare = async (unit: Unit, hashes: NodeHashes): Promise<void> => {
    const wanted = copied.get(unit.name);
    copied.delete(unit.name);
    const found = await readContents(database, unit, hashes);
    if (wanted === undefined || differs(found, wanted))
      faults.push(
        `${unit.name}: ${found.nodes} nodes and ${found.relationships} relationships, not the same as ` +
          `the ${wanted?.nodes ?? 0} and ${wanted?.relationships ?? 0} of the backup`,
      );
  };
  const { platform, work } = await platformUnits(database);
  await compare(work, new Map());
  const hashes: NodeHashes = new Map();
  await compare(platform, hashes);
  for (const project of await readProjects(database)) await compare(projectUnit(project), new Map(hashes));
  for (const [name, { nodes }] of copied) if (nodes > 0) faults.push(`${name}: is missing`);
  return faults;
};

/**
 * Restores a backup into an empty database and verifies it: every element is read again and compared, every audit chain is
 * verified with its keys.
 *
 * @throws Error when the backup does not open or is not whole, when its data is of a schema version that this build does not
 *   understand, when the database holds data, or with everything that differs.
 */
export const restoreBackup = async (parts: RestoreParts): Promise<Complete> => {
  const { database, settings, file, onProgress = () => undefined } = parts;
  const complete = await readComplete(file, settings);
  onProgress("the backup is whole");
  requireUnderstood(complete.schema);
  await requireEmpty(database);
  await prepare(settings);
  await setDataVersion(database, complete.schema);
  await writeAll(parts, complete);
  onProgress("everything is written; it is compared with the backup");
  const faults = [
    ...(await compareAll(database, complete)),
    ...(await verifyChains(database, complete.chains)),
  ];
  if (faults.length > 0) throw new Error(`the restored database differs: ${faults.join("; ")}`);
  return complete;
};
