import type { Socket } from "node:net";
import { tooMuchAnswered } from "../errors.ts";
import { socketIn } from "./driver-members.ts";

/** The error for a version of the driver that keeps the socket of a connection elsewhere. */
export const notWatched = "this version of the Neo4j driver cannot be watched while it reads";

/** Bytes that a server may send to a connection while nothing follows its answers: those of a login, or of a routing table. */
const maxBytes = 262_144;

/** How many statements follow the answers on a socket: the next one may begin before the former one has let go. */
const followers = new WeakMap<Socket, number>();

const addFollowers = (socket: Socket, by: 1 | -1): void =>
  void followers.set(socket, (followers.get(socket) ?? 0) + by);

/** Notes that a statement follows the answers on a socket: its intake bounds them. @returns ends that, called once */
export const follow = (socket: Socket): (() => void) => {
  addFollowers(socket, 1);
  return () => addFollowers(socket, -1);
};

/**
 * Ends a connection to which much is sent that no statement follows. The driver holds whole messages in memory, of any length, also
 * those that nothing waits for.
 *
 * @throws Error for a version of the driver that keeps the socket elsewhere: a connection that is not watched is not used.
 */
export const limitUnsolicited = (connection: unknown): void => {
  const socket = socketIn(connection);
  if (socket === undefined) throw new Error(notWatched);
  let bytes = 0;
  socket.on("data", (data: Buffer) => {
    bytes = (followers.get(socket) ?? 0) > 0 ? 0 : bytes + data.length;
    if (bytes > maxBytes) socket.destroy(new Error(tooMuchAnswered));
  });
};
