import type { IncomingMessage } from "node:http";

/** How long what a caller still sends is read, and thrown away, after its answer. */
const lingerMs = 1_000;

/**
 * Lets a caller hear its answer although its body is not complete: a socket that is closed while bytes still arrive is
 * reset, and a reset can take the answer with it. Node closes after the answer by `destroySoon`; here our side is ended
 * then, and the other one read for a moment.
 */
export const lingerAfterAnswer = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
};
