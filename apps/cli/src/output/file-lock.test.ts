import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { withFileLock } from "./file-lock.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "ikg-lock-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const maxMs = 20_000;

describe("a lock file", () => {
  it("is held by one at a time, and removed, also after an error", async () => {
    const path = join(folder, "lock");
    let [open, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++open);
      await wait(20);
      open--;
      throw new Error("no");
    };
    const works = Array.from({ length: 3 }, () => withFileLock(path, maxMs, work));
    const settled = await Promise.allSettled(works);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect([most, readdirSync(folder)]).toEqual([1, []]);
  });

  it.each([
    ["a killed process", -60_000],
    ["a clock that was set back", 60_000],
  ])("of %s is replaced", async (_whose, ageMs) => {
    const path = join(folder, "lock");
    writeFileSync(path, "");
    const time = new Date(Date.now() + ageMs);
    utimesSync(path, time, time);
    expect(await withFileLock(path, maxMs, () => Promise.resolve("done"))).toBe("done");
  });

  it("names the file that cannot be created", async () => {
    const work = withFileLock(join(folder, "none", "lock"), maxMs, () => Promise.resolve());
    await expect(work).rejects.toThrow(/lock cannot be written: ENOENT/);
  });
});
