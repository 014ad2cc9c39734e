import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** One address before replicas that come and go: each new connection goes to the next of them. */
export interface Front {
  readonly url: string;
  /** Ports of the replicas that take new connections; those that are open stay where they are. */
  replicas: readonly number[];
  close(): Promise<void>;
}

/** Listens on a port that the system chooses. */
export const openFront = async (): Promise<Front> => {
  const sockets = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    // An error is followed by the end.
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const front: { replicas: readonly number[] } = { replicas: [] };
  const server = createServer((near) => {
    keep(near);
    const port = front.replicas[turn++ % front.replicas.length];
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    keep(far);
    near.pipe(far);
    far.pipe(near);
    far.on("error", () => near.destroy());
    near.on("error", () => far.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of TCP
  return Object.assign(front, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  });
};
