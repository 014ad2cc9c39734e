/** Statements that clients send to a Neo4j, with the access mode of each, read off the wire. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SentStatement {
  readonly text: string;
  readonly mode: "READ" | "WRITE";
}

export interface BoltListener {
  readonly port: number;
  /** Since the last call. */
  take(): readonly SentStatement[];
  close(): Promise<void>;
}

/** Signatures of the requests that matter here (Bolt protocol, "Messages"). */
const [run, begin] = [0x10, 0x11];
/** RESET, COMMIT, ROLLBACK. */
const ends: ReadonlySet<number> = new Set([0x0f, 0x12, 0x13]);
/** A map entry `mode: "r"` in PackStream. */
const readMode = Buffer.from("\x84mode\x81r", "latin1");
/** The four bytes by which a server offers its versions as a list (Bolt 5.7 and later); the client answers with five. */
const manifest = Buffer.from([0, 0, 1, 0xff]);
const handshakeBytes = 20;
const manifestAnswerBytes = 5;

/** The text of a RUN: its first field, a PackStream string. */
const textOf = (message: Buffer): string => {
  const marker = message[2] ?? 0;
  if (marker >= 0x80 && marker <= 0x8f) return message.toString("utf8", 3, 3 + (marker & 0x0f));
  if (marker === 0xd0) return message.toString("utf8", 4, 4 + message.readUInt8(3));
  if (marker === 0xd1) return message.toString("utf8", 5, 5 + message.readUInt16BE(3));
  return message.toString("utf8", 7, 7 + message.readUInt32BE(3));
};

/** Reads the requests of one connection. */
class Requests {
  readonly #found: SentStatement[];
  #waiting = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #toSkip = handshakeBytes;
  /** The mode of the open transaction. */
  #transaction: SentStatement["mode"] | undefined;

  constructor(found: SentStatement[]) {
    this.#found = found;
  }

  /** The server's first answer. */
  answered(bytes: Buffer): void {
    if (bytes.subarray(0, 4).equals(manifest)) this.#toSkip += manifestAnswerBytes;
  }

  received(bytes: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    const skipped = Math.min(this.#toSkip, this.#waiting.length);
    this.#toSkip -= skipped;
    this.#waiting = this.#waiting.subarray(skipped);
    while (this.#toSkip === 0 && this.#waiting.length >= 2) {
      const size = this.#waiting.readUInt16BE(0);
      if (this.#waiting.length < 2 + size) return;
      const chunk = this.#waiting.subarray(2, 2 + size);
      this.#waiting = this.#waiting.subarray(2 + size);
      if (size > 0) this.#chunks.push(chunk);
      else if (this.#chunks.length > 0) {
        this.#message(Buffer.concat(this.#chunks));
        this.#chunks = [];
      }
    }
  }

  #message(message: Buffer): void {
    const mode = message.includes(readMode) ? "READ" : "WRITE";
    const [, signature = 0] = message;
    if (signature === begin) this.#transaction = mode;
    if (signature === run) this.#found.push({ text: textOf(message), mode: this.#transaction ?? mode });
    if (ends.has(signature)) this.#transaction = undefined;
  }
}

/** Opens a port that leads to a Neo4j without TLS and listens to what clients send there. */
export const openBoltListener = async (uri: string): Promise<BoltListener> => {
  const { hostname, port } = new URL(uri);
  const found: SentStatement[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const requests = new Requests(found);
    far.once("data", (bytes: Buffer) => requests.answered(bytes));
    near.on("data", (bytes: Buffer) => requests.received(bytes));
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => sockets.delete(one));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port, // listening on a port
    take: () => found.splice(0),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
