import type { IncomingMessage } from "node:http";

/** How long the rest of a request body is read and discarded after the response. */
const drainMs = 1_000;

/**
 * Lets a caller receive the response to a request whose body is incomplete. A socket that is closed while bytes arrive is
 * reset, and a reset can discard the response. Node closes the socket by `destroySoon` after the response; instead this ends
 * the writable side and reads on for a moment.
 */
export const drainAfterResponse = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), drainMs).unref();
  };
};
