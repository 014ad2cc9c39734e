import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { writePrivateFile } from "./output/private-file.ts";
import type { CommandEnvironment } from "./command-environment.ts";

/** The folder of state that commands share, below `XDG_STATE_HOME` or `~/.local/state`. */
export const stateFolder = ({ variables }: Pick<CommandEnvironment, "variables">, name: string): string =>
  join(variables["XDG_STATE_HOME"] ?? join(variables["HOME"] ?? homedir(), ".local", "state"), "ikg", name);

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
export const writeState = (path: string, value: unknown): void =>
  writePrivateFile(path, JSON.stringify(value));
