/** `$IKG_HOME/run/<name>.json`: which process of the suite runs under which name, for a later start that finds it orphaned. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Identity } from "../../launch/identity.mjs";
import type { Home } from "../home.ts";
import { writePrivate } from "../home.ts";

export interface ProcessRecord {
  readonly name: string;
  readonly identity: Identity;
}

const fileOf = (home: Home, name: string): string => join(home.run, `${name}.json`);

export const isIdentity = (value: unknown): value is Identity =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "pid") === "number" &&
  typeof Reflect.get(value, "started") === "string";

export const writeRecord = (home: Home, record: ProcessRecord): void =>
  writePrivate(fileOf(home, record.name), record.identity);

export const removeRecord = (home: Home, name: string): void => rmSync(fileOf(home, name), { force: true });

/** What is recorded, dead or alive; the claim of the suite itself and unreadable files are not. */
export const readRecords = (home: Home): ProcessRecord[] =>
  readdirSync(home.run)
    .filter((file) => file.endsWith(".json") && file !== basename(home.claimFile))
    .flatMap((file) => {
      try {
        const identity: unknown = JSON.parse(readFileSync(join(home.run, file), "utf8"));
        return isIdentity(identity) ? [{ name: basename(file, ".json"), identity }] : [];
      } catch {
        return [];
      }
    });
