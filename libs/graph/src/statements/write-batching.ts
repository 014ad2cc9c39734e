import type { Socket } from "node:net";
import type { Driver } from "neo4j-driver";
import { wrapConnect } from "../connections/driver-connections.ts";
import { socketIn } from "../connections/driver-members.ts";

/**
 * What is written to a socket in one turn leaves it in one piece. The driver writes every message of a flight for
 * itself, and long ones in parts of 1,400 bytes; each part would be a system call here and a wake-up of the server.
 */
export const batchWrites = (socket: Socket): void => {
  let holding = false;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean; // one of its forms, passed on
  const joined = (...given: unknown[]): boolean => {
    if (!holding) {
      holding = true;
      socket.cork();
      // After the promises that are settled now: BEGIN and the first statement are a promise apart.
      process.nextTick(() => {
        holding = false;
        socket.uncork();
      });
    }
    return write(...given);
  };
  Object.assign(socket, { write: joined });
};

/** Joins the writes of every connection that a driver opens. A version of it that looks otherwise works as it did. */
export const batchDriverWrites = (driver: Driver): Driver => {
  wrapConnect(driver, (connect) => async (...given) => {
    const connection = await connect(...given);
    const socket = socketIn(connection);
    if (socket !== undefined) batchWrites(socket);
    return connection;
  });
  return driver;
};
