import { createHash } from "node:crypto";

/** A 256-bit key and the byte by which a sealed text names it. */
interface SealingKey {
  readonly id: number;
  readonly key: Buffer;
}

/** The key that seals, and all keys that open. */
export interface KeyRing {
  readonly current: SealingKey;
  readonly byId: ReadonlyMap<number, SealingKey>;
}

/** The id of a key is derived from the key, so that keys need no numbers. */
const sealingKey = (key: Buffer): SealingKey => {
  if (key.length !== 32) throw new Error("a sealing key has 32 bytes");
  return { id: createHash("sha256").update(key).digest().readUInt8(0), key };
};

/**
 * @param current seals.
 * @param former keys that sealed before and still open.
 * @throws Error when two of them share an id; then another new key is needed.
 */
export const keyRing = (current: Buffer, former: readonly Buffer[] = []): KeyRing => {
  const sealing = sealingKey(current);
  const all = [sealing, ...former.filter((key) => !key.equals(current)).map(sealingKey)];
  const byId = new Map(all.map((key) => [key.id, key]));
  if (byId.size < all.length) throw new Error("two sealing keys share an id; generate another new key");
  return { current: sealing, byId };
};
