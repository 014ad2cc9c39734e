/** Which process of the suite is which. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError, type Target } from "./settings.ts";

/** @throws UserError when the suite has noted no such process */
export const pidOf = (target: Target, name: string): number => {
  try {
    // As `npm start` notes it.
    const { pid } = JSON.parse(readFileSync(join(target.processes, `${name}.json`), "utf8")) as {
      pid: number;
    };
    return pid;
  } catch {
    throw new UserError(`The process of ${name} is unknown.`);
  }
};
