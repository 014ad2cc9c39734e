import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { BackupSettings } from "./settings.ts";

/** How a backup says from what its key comes. */
export type KeySource =
  | { readonly from: "key" }
  | { readonly from: "passphrase"; readonly salt: string; readonly cost: number };

const derive = promisify(
  scrypt as (
    passphrase: string,
    salt: Buffer,
    length: number,
    options: { N: number; r: number; p: number; maxmem: number },
    callback: (error: Error | null, key: Buffer) => void,
  ) => void,
);

/** 2^17 with blocks of 1 KiB: 128 MiB and about half a second for each guess. */
const cost = 131_072;

/** Where the key of a new backup comes from. */
export const newKeySource = ({ BACKUP_KEY }: BackupSettings): KeySource =>
  BACKUP_KEY === undefined
    ? { from: "passphrase", salt: randomBytes(16).toString("base64"), cost }
    : { from: "key" };

/** @throws Error when the settings have no such key. */
export const keyOf = async (
  { BACKUP_KEY, BACKUP_PASSPHRASE }: BackupSettings,
  source: KeySource,
): Promise<Buffer> => {
  if (source.from === "key") {
    if (BACKUP_KEY === undefined) throw new Error("this backup is sealed by a key: set BACKUP_KEY");
    return BACKUP_KEY;
  }
  if (BACKUP_PASSPHRASE === undefined)
    throw new Error("this backup is sealed by a passphrase: set BACKUP_PASSPHRASE");
  if (source.cost !== cost) throw new Error("this backup was made with an unknown cost of its passphrase");
  const parameters = { N: source.cost, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
  return derive(BACKUP_PASSPHRASE, Buffer.from(source.salt, "base64"), 32, parameters);
};
