import { randomBytes } from "node:crypto";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readArchive, writeArchive } from "./archive.ts";
import { frameBytes } from "./frames.ts";
import type { BackupSettings } from "./settings.ts";

let folder: string;
/** A backup of `lines` and one before them. */
let backup: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ikg-archive-"));
  backup = await written(settings, [{ secret: "application-of-a-tenant" }, ...lines]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const settingsOf = (key: Partial<BackupSettings>): BackupSettings => ({
  NEO4J_URI: "bolt://localhost",
  NEO4J_USERNAME: "neo4j",
  NEO4J_PASSWORD: "secret",
  NEO4J_DATABASE: "neo4j",
  BACKUP_HOLD_MS: 500,
  ...key,
});
const settings = settingsOf({ BACKUP_KEY: randomBytes(32) });

const written = async (by: BackupSettings, lines: readonly object[]): Promise<Buffer> => {
  const file = join(folder, "written");
  const out = createWriteStream(file);
  const archive = await writeArchive(out, by, new Date(0));
  for (const line of lines) await archive.write(line);
  await archive.end();
  out.end();
  await finished(out);
  return readFileSync(file);
};

const read = async (bytes: Uint8Array, by: BackupSettings): Promise<object[]> => {
  const file = join(folder, "read");
  writeFileSync(file, bytes);
  return Array.fromAsync(readArchive(file, by));
};

/** More than two frames: random texts are not compressed much. */
const lines = Array.from({ length: 240 }, (_, index) => ({
  index,
  text: randomBytes(frameBytes / 100).toString("base64"),
}));

/** Where the frames of a backup begin and end. */
const framesOf = (bytes: Buffer): Buffer[] => {
  const frames: Buffer[] = [];
  for (let at = bytes.indexOf("\n") + 1; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames;
};

describe("an archive", () => {
  it("gives its lines to who has its key, and shows nothing of them", async () => {
    expect(backup.includes("application-of-a-tenant")).toBe(false);
    expect(framesOf(backup).length).toBeGreaterThan(2);
    expect((await read(backup, settings)).slice(1)).toEqual(lines);
    const other = settingsOf({ BACKUP_KEY: randomBytes(32) });
    await expect(read(backup, other)).rejects.toThrow("it was sealed by another key, or changed");
  });

  it("keeps every character of a text, also what other formats take for the end of a line", async () => {
    const texts = [{ text: "a\u2028b\u2029c\u0085d\r\n\v\fe" }, { text: "\uFEFFü😀" }];
    expect(await read(await written(settings, texts), settings)).toEqual(texts);
  });

  it("opens by its passphrase alone, and says that it needs one", async () => {
    const passphrase = settingsOf({ BACKUP_PASSPHRASE: "a passphrase of some length" });
    const bytes = await written(passphrase, [{ a: 1 }]);
    expect(await read(bytes, passphrase)).toEqual([{ a: 1 }]);
    const other = settingsOf({ BACKUP_PASSPHRASE: "another one of some length" });
    await expect(read(bytes, other)).rejects.toThrow("it was sealed by another key, or changed");
    await expect(read(bytes, settings)).rejects.toThrow("set BACKUP_PASSPHRASE");
  });

  it("does not open when it is cut off, changed, or its frames are in another order", async () => {
    const start = backup.subarray(0, backup.indexOf("\n") + 1);
    const frames = framesOf(backup);
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), ...rest] = frames;
    const changed = Buffer.from(backup);
    changed.writeUInt8(changed.readUInt8(backup.length >> 1) ^ 1, backup.length >> 1);
    for (const damaged of [
      changed,
      backup.subarray(0, backup.length >> 1),
      backup.subarray(0, -1),
      Buffer.concat([start, ...frames.slice(0, -1)]),
      Buffer.concat([start, second, first, ...rest]),
      Buffer.concat([start, first, ...rest]),
      Buffer.concat([start, first, first, second, ...rest]),
      Buffer.from(backup.toString("latin1").replace("1970", "1971"), "latin1"),
    ])
      await expect(read(damaged, settings)).rejects.toThrow("the backup");
    for (const other of ["something else\n", "null\n", "{}\n"])
      await expect(read(Buffer.from(other), settings)).rejects.toThrow("this file is not a backup");
  });

  it("is refused at a length that no frame has, without reading on", async () => {
    const bytes = Buffer.from(backup);
    bytes.writeUInt32BE(0x4000_0000, bytes.indexOf("\n") + 1 + (framesOf(bytes)[0]?.length ?? 0));
    await expect(read(bytes, settings)).rejects.toThrow("the backup was changed");
  });
});
