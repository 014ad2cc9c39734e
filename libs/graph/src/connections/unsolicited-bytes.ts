import type { Socket } from "node:net";
import { responseTooLargeMessage } from "../errors.ts";
import { socketIn } from "./driver-members.ts";

/** Message for a version of the driver that keeps the socket of a connection elsewhere. */
export const unsupportedDriverMessage =
  "this version of the Neo4j driver is not supported: the size of its responses cannot be limited";

/** Bytes that a server may send to a connection while no statement monitors its answers: those of a login, or of a routing table. */
const maxBytes = 262_144;

/** How many statements monitor the answers on a socket: the next one may begin before the former one has ended. */
const monitorCounts = new WeakMap<Socket, number>();

const countMonitors = (socket: Socket, by: 1 | -1): void =>
  void monitorCounts.set(socket, (monitorCounts.get(socket) ?? 0) + by);

/** Notes that a statement monitors the answers on a socket: its response budget bounds them. @returns ends that, called once */
export const addMonitor = (socket: Socket): (() => void) => {
  countMonitors(socket, 1);
  return () => countMonitors(socket, -1);
};

/**
 * Ends a connection to which much is sent that no statement monitors. The driver holds whole messages in memory, of any length, also
 * those that nothing waits for.
 *
 * @throws Error for a version of the driver that keeps the socket elsewhere: a connection whose responses cannot be limited is not used.
 */
export const limitUnsolicited = (connection: unknown): void => {
  const socket = socketIn(connection);
  if (socket === undefined) throw new Error(unsupportedDriverMessage);
  let bytes = 0;
  socket.on("data", (data: Buffer) => {
    bytes = (monitorCounts.get(socket) ?? 0) > 0 ? 0 : bytes + data.length;
    if (bytes > maxBytes) socket.destroy(new Error(responseTooLargeMessage));
  });
};
