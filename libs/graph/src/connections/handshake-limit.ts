import { createRequire } from "node:module";
import { memberOf, socketIn } from "./driver-members.ts";

/** Ranges of versions of Bolt that a server may offer; Neo4j offers fewer than ten. */
const maxRanges = 32;
/** Where a handshake begins with the version 255.1, the versions that the server offers follow. */
const versionsFollow = 0x1ff;

/** The number of ranges follows in 7 bits of each byte, so that the first byte of one above 127 is at least 128. */
const offersTooMany = (message: unknown): boolean => {
  const bytes = memberOf(message, "_buffer");
  return (
    Buffer.isBuffer(bytes) &&
    bytes.length > 4 &&
    bytes.readUInt32BE(0) === versionsFollow &&
    bytes.readUInt8(4) > maxRanges
  );
};

/** Checks what a channel reads until its handshake is over. A version of the driver that reads it elsewhere connects nowhere. */
const limitChannel = (channel: object): void => {
  const read = memberOf(channel, "onmessage");
  const limited = (message: unknown): void => {
    if (typeof read !== "function" || offersTooMany(message))
      socketIn({ _ch: channel })?.destroy(new Error("the handshake offers too many versions"));
    else Reflect.apply(read, channel, [message]);
  };
  Reflect.set(channel, "onmessage", limited);
};

/** The object whose method `handshake` the driver calls, which it does not export; undefined for a version without it. */
const boltOfDriver = (): object | undefined => {
  const requireByDriver = createRequire(createRequire(import.meta.url).resolve("neo4j-driver"));
  try {
    const exported: unknown = requireByDriver("neo4j-driver-bolt-connection/lib/bolt");
    const bolt = memberOf(exported, "default");
    return bolt instanceof Object ? bolt : undefined;
  } catch {
    return undefined;
  }
};

let isLimited = false;

/**
 * Lets every driver of the process refuse a handshake that offers very many versions. A driver expands them in a time that grows with
 * the square of their number: 14 kB, which any server may send, would block the process for some 20 s.
 *
 * @returns false for a version of the driver that connects in another way: nothing was changed.
 */
export const limitHandshakes = (): boolean => {
  if (isLimited) return true;
  const bolt = boltOfDriver();
  const handshake = memberOf(bolt, "handshake");
  if (bolt === undefined || typeof handshake !== "function") return false;
  const limited = (channel: object, ...rest: readonly unknown[]): unknown => {
    // It sets the function that reads the answer at once, before any can arrive.
    const negotiated: unknown = Reflect.apply(handshake, bolt, [channel, ...rest]);
    limitChannel(channel);
    return negotiated;
  };
  isLimited = Reflect.set(bolt, "handshake", limited);
  return isLimited;
};
