/** A TCP relay that tests put before a server, to let it be away without ending it. */
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";

export interface Relay {
  readonly port: number;
  /** Connections so far. */
  readonly accepted: number;
  /** Ends all connections and accepts no more. */
  cut(): void;
  /** Lets everything through again. */
  mend(): void;
  close(): Promise<void>;
}

export const openRelay = async (target: { host: string; port: number }): Promise<Relay> => {
  const sockets = new Set<Socket>();
  let isCut = false;
  let accepted = 0;
  const server = createServer((near) => {
    accepted += 1;
    if (isCut) return void near.destroy();
    const far = connect(target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port, // of TCP
    get accepted() {
      return accepted;
    },
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      end();
      server.close();
      await once(server, "close");
    },
  };
};
