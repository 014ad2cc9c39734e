import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { self } from "./identity.mjs";
import { withLock } from "./lock.mjs";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  file = join(folder, "deep", "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a lock", () => {
  it("is held while the work runs and gone afterwards, also when the work fails", async () => {
    await expect(withLock(file, () => existsSync(file))).resolves.toBe(true);
    expect(existsSync(file)).toBe(false);
    await expect(
      withLock(file, () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(existsSync(file)).toBe(false);
  });

  it("lets one in at a time and tells who waits", async () => {
    let inside = 0;
    let most = 0;
    let waitCount = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(20);
      inside--;
    };
    const wait = () => void waitCount++;
    await Promise.all([withLock(file, work, wait), withLock(file, work, wait), withLock(file, work, wait)]);
    expect(most).toBe(1);
    expect(waitCount).toBe(2);
  });

  it("is taken from a holder that has died", async () => {
    await withLock(file, () => {});
    writeFileSync(file, JSON.stringify({ ...self(), started: "another boot:1" }));
    await expect(withLock(file, () => "done")).resolves.toBe("done");
  });

  it("lets other work go on while another process removes the lock of a holder that has died", async () => {
    const guard = `${file}.removal`;
    mkdirSync(guard, { recursive: true });
    writeFileSync(file, JSON.stringify({ ...self(), started: "another boot:1" }));
    const taken = withLock(file, () => "done");
    await sleep(50);
    rmSync(guard, { recursive: true });
    await expect(taken).resolves.toBe("done");
  });
});
