import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandFault } from "../command-environment.ts";

const discard = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder in which nothing can be removed has got no draft.
  }
};

/**
 * Writes a file atomically, readable only by its owner.
 *
 * @throws CommandFault if it cannot be written.
 */
export const writePrivateFile = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    // The mode above does not apply to a draft that is already there.
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    discard(draft);
    throw new CommandFault(`${path} cannot be written: ${(error as Error).message}`);
  }
};
