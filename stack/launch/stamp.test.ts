import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isFresh, stampOf, writeStamp } from "./stamp.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stamp-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

describe("a stamp", () => {
  it("is fresh only while the files are what they were", () => {
    const lock = write("lock", "a");
    const stamp = join(folder, "stamp");
    expect(isFresh(stamp, stampOf([lock]))).toBe(false);
    writeStamp(stamp, stampOf([lock]));
    expect(isFresh(stamp, stampOf([lock]))).toBe(true);
    write("lock", "b");
    expect(isFresh(stamp, stampOf([lock]))).toBe(false);
  });

  it("keeps the boundary between files", () => {
    expect(stampOf([write("1", "ab"), write("2", "c")])).not.toBe(
      stampOf([write("3", "a"), write("4", "bc")]),
    );
  });
});
