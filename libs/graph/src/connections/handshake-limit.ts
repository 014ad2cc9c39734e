import { createRequire } from "node:module";
import { memberOf, socketIn } from "./driver-members.ts";

/** Ranges of versions of Bolt that a server may offer; Neo4j offers fewer than ten. */
const maxRanges = 32;
/** Where a handshake begins with the version 255.1, the versions that the server offers follow. */
const versionsFollow = 0x1ff;

type Handler = (message: unknown) => void;

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

/** The prototype of the driver's channels, which it does not export; undefined for a version that has it elsewhere. */
const channelPrototype = (): object | undefined => {
  const requireByDriver = createRequire(createRequire(import.meta.url).resolve("neo4j-driver"));
  try {
    const channels: unknown = requireByDriver("neo4j-driver-bolt-connection/lib/channel");
    const prototype = memberOf(memberOf(channels, "Channel"), "prototype");
    return prototype instanceof Object ? prototype : undefined;
  } catch {
    return undefined;
  }
};

const limitHandshakesOf = (prototype: object): void => {
  const handlers = new WeakMap<object, Handler>();
  Object.defineProperty(prototype, "onmessage", {
    configurable: true,
    get(this: object): Handler | undefined {
      return handlers.get(this);
    },
    /** The first handler of a channel reads the handshake. */
    set(this: object, handler: Handler): void {
      const limited: Handler = (message) => {
        if (offersTooMany(message))
          socketIn({ _ch: this })?.destroy(new Error("the handshake offers too many versions"));
        else handler(message);
      };
      handlers.set(this, handlers.has(this) ? handler : limited);
    },
  });
};

let isLimited: boolean | undefined;

/**
 * Lets the driver refuse a handshake that offers very many versions. It expands them in a time that grows with the square of their
 * number: 14 kB, which any server may send, would block the process for some 20 s.
 *
 * @returns false for a version of the driver that connects in another way: nothing was changed.
 */
export const limitHandshakes = (): boolean => {
  if (isLimited !== undefined) return isLimited;
  const prototype = channelPrototype();
  if (prototype !== undefined) limitHandshakesOf(prototype);
  isLimited = prototype !== undefined;
  return isLimited;
};
