/** Checksums of a release, and their signature. */
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { UserError } from "../../launch/user-error.mjs";

const sumsFile = "SHA256SUMS";

const checksumOf = async (file: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
};

/** @throws UserError when it is not an Ed25519 private key */
const readKey = (file: string) => {
  const key = (() => {
    try {
      return createPrivateKey(readFileSync(file));
    } catch {
      return undefined;
    }
  })();
  if (key?.asymmetricKeyType !== "ed25519")
    throw new UserError(`${file} is not an Ed25519 private key (PEM).`);
  return key;
};

/** @throws UserError when it is not an Ed25519 private key */
export const checkKey = (file: string): void => void readKey(file);

/**
 * Writes SHA256SUMS over every file of a folder, its signature (Ed25519, 64 bytes), and the public key for convenience: a user who verifies
 * has it from elsewhere.
 */
export const signFolder = async (folder: string, keyFile: string): Promise<void> => {
  const names = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted();
  let sums = "";
  for (const name of names) sums += `${await checksumOf(join(folder, name))}  ${name}\n`;
  const key = readKey(keyFile);
  writeFileSync(join(folder, sumsFile), sums);
  writeFileSync(join(folder, `${sumsFile}.sig`), sign(null, Buffer.from(sums), key));
  writeFileSync(join(folder, "release.pub"), createPublicKey(key).export({ type: "spki", format: "pem" }));
};
