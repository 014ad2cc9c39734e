import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** Takes a file for this process. @returns false when another one has it. */
export const take = (folder: string, file: string): boolean => {
  try {
    closeSync(openSync(join(folder, encodeURIComponent(file)), "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};
