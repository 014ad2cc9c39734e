import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandFault, type Surroundings } from "./surroundings.ts";

/** The folder of state that commands share, below `XDG_STATE_HOME` or `~/.local/state`. */
export const stateFolder = ({ environment }: Pick<Surroundings, "environment">, name: string): string =>
  join(
    environment["XDG_STATE_HOME"] || join(environment["HOME"] ?? homedir(), ".local", "state"),
    "ikg",
    name,
  );

/** Reads what `writeState` has written; undefined if there is nothing. */
export const readState = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

/**
 * Writes JSON atomically, readable only by its owner.
 *
 * @throws CommandFault if it cannot be written.
 */
export const writeState = (path: string, value: unknown): void => {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    throw new CommandFault(`${path} cannot be written: ${(error as Error).message}`);
  }
};
