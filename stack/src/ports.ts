/** Free ports. Between choosing one and binding it another process may take it: who binds must be ready to retry. */
import { randomInt } from "node:crypto";
import { connect, createServer } from "node:net";
import { UserError } from "../launch/user-error.mjs";

/** Below the range from which the system takes the local ends of outgoing connections (32768 and up on Linux). */
const range = { from: 20_000, to: 32_768 } as const;
const given = new Set<number>();

/** True when the port can be bound on this address now. */
export const isFree = (port: number, address = "127.0.0.1"): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve(true)));
  });

/**
 * A port on 127.0.0.1 that is free now and that this process was not given before.
 *
 * @param choose a number of the range; random, so that suites started together rarely meet
 */
export const freePort = async (choose = () => randomInt(range.from, range.to)): Promise<number> => {
  for (let tries = 0; tries < 200; tries++) {
    const port = choose();
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
  throw new UserError(`No free port between ${range.from} and ${range.to - 1} on 127.0.0.1.`);
};

/** True when something listens on the port of this machine. Cheaper than asking a database, which cannot answer before. */
export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
