/** Starts a process on a port of its own, again on another one when the port was taken meanwhile. */
import { freePort } from "../ports.ts";
import type { Child } from "./child.ts";
import { PortTaken } from "./ready.ts";

const tries = 4;

/**
 * @param start starts the process on the port and resolves when it is ready
 * @throws PortTaken when every port that was tried was taken, which does not happen by chance
 */
export const startOnFreePort = async (
  start: (port: number) => Promise<Child>,
  choose: () => Promise<number> = freePort,
): Promise<{ child: Child; port: number }> => {
  for (let turn = 1; ; turn++) {
    const port = await choose();
    try {
      return { child: await start(port), port };
    } catch (error) {
      if (!(error instanceof PortTaken) || turn === tries) throw error;
    }
  }
};
