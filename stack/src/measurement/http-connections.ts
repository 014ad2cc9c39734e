/**
 * POST over kept-alive connections, with no more of HTTP/1.1 than the servers of the measurements speak. The generator runs on the
 * cores that it measures: a whole HTTP client takes as much of them for a request as the service that answers it.
 */
import { once } from "node:events";
import { createConnection } from "node:net";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

interface Connection {
  readonly usable: () => boolean;
  post(path: string, headers: Headers, body: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface HttpConnections {
  /** @throws Error when the server ends the connection, is silent for a minute, or answers without a content-length */
  post(path: string, headers: Headers, body: string): Promise<Answer>;
  close(): Promise<void>;
}

const silenceMs = 60_000;
const endOfHead = "\r\n\r\n";

/** The first answer in `received`; undefined while a part of it is missing. */
const readAnswer = (received: Buffer): Answer | undefined => {
  const end = received.indexOf(endOfHead);
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer of unknown length: ${head}`);
  const start = end + endOfHead.length;
  if (received.length < start + Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), text: received.toString("utf8", start) };
};

/** One connection; it carries one exchange at a time. */
const connect = ({ hostname, port, host }: URL): Connection => {
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  let waiting: PromiseWithResolvers<Answer> | undefined;
  let received: Buffer | undefined;
  const end = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
    socket.destroy();
  };
  socket.setTimeout(silenceMs, () => end(new Error(`${host} was silent for ${silenceMs} ms`)));
  socket.on("error", end);
  socket.on("close", () => end(new Error(`${host} ended the connection`)));
  socket.on("data", (chunk) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    try {
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = undefined;
      waiting?.resolve(answer);
      waiting = undefined;
    } catch (error) {
      end(error as Error); // thrown above
    }
  });
  return {
    usable: () => socket.writable,
    post: (path, headers, body) => {
      waiting = Promise.withResolvers();
      let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
      for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
      socket.write(`${head}\r\n${body}`);
      return waiting.promise;
    },
    close: async () => {
      const closed = socket.closed ? undefined : once(socket, "close");
      socket.destroy();
      await closed;
    },
  };
};

/** @param most connections at once; who asks when all are busy waits for one */
export const openHttpConnections = (baseUrl: string, most: number): HttpConnections => {
  const url = new URL(baseUrl);
  const idle: Connection[] = [];
  const queue: ((connection: Connection) => void)[] = [];
  const all = new Set<Connection>();
  const open = (): Connection => {
    const connection = connect(url);
    all.add(connection);
    return connection;
  };
  const take = (): Connection | Promise<Connection> => {
    for (let each = idle.pop(); each !== undefined; each = idle.pop()) {
      if (each.usable()) return each;
      all.delete(each);
    }
    return all.size < most ? open() : new Promise((resolve) => queue.push(resolve));
  };
  const giveBack = (connection: Connection): void => {
    const next = queue.shift();
    if (next === undefined) idle.push(connection);
    else if (connection.usable()) next(connection);
    else {
      all.delete(connection);
      next(open());
    }
  };
  return {
    post: async (path, headers, body) => {
      const connection = await take();
      try {
        return await connection.post(path, headers, body);
      } finally {
        giveBack(connection);
      }
    },
    close: async () => {
      await Promise.all([...all].map((connection) => connection.close()));
    },
  };
};
