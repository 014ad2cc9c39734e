import { Socket } from "node:net";

/**
 * A private member of the driver, which has no public way to name it; undefined for a version that keeps it elsewhere.
 */
export const memberOf = (value: unknown, name: string): unknown =>
  value instanceof Object ? Reflect.get(value, name) : undefined;

/** The socket of a connection; undefined for a version of the driver that keeps it elsewhere. */
export const socketIn = (connection: unknown): Socket | undefined => {
  const socket = memberOf(memberOf(connection, "_ch"), "_conn");
  return socket instanceof Socket ? socket : undefined;
};
