import { once } from "node:events";
import { connect } from "node:net";
import { readEnvironment } from "../../../stack/src/environment.ts";

/**
 * Bytes that the Redis of the suite uses (INFO memory, `used_memory`).
 *
 * @returns undefined where the suite names no Redis that this machine reaches
 */
export const redisMemory = async (): Promise<number | undefined> => {
  const address = readEnvironment(process.env["IKG_ENVIRONMENT"] ?? "")?.redis_url;
  if (address === undefined || address === "") return undefined;
  const { hostname, port, username, password } = new URL(address);
  const account = [username, password].filter((word) => word !== "").map((word) => decodeURIComponent(word));
  const socket = connect({ host: hostname, port: Number(port || 6379) });
  try {
    await once(socket, "connect");
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.write(`${password === "" ? "" : `AUTH ${account.join(" ")}\r\n`}INFO memory\r\nQUIT\r\n`);
    await once(socket, "close");
    const [, bytes] = /^used_memory:(\d+)/m.exec(text) ?? [];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
};
