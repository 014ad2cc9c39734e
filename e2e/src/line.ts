import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What becomes of bytes that go to the far end: passed on; swallowed; or answered by the end of the connection. */
export type LineState = "through" | "silent" | "lost";

/** A TCP line to a server, which a test may disturb after a request was sent. */
export interface Line {
  readonly port: number;
  state: LineState;
  close(): Promise<void>;
}

/** Lays a line from a port that the system chooses. */
export const openLine = async (target: { host: string; port: number }): Promise<Line> => {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (bytes) => {
      if (line.state === "through") far.write(bytes);
      else if (line.state === "lost") near.destroy();
    });
    far.pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const line: Line = {
    port: (server.address() as AddressInfo).port, // of TCP
    state: "through",
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return line;
};
