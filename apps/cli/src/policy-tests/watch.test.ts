import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openWatcher, type Watcher } from "./watch.ts";

let folder: string;
let watcher: Watcher;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ikg-watch-"));
  watcher = openWatcher();
});
afterEach(() => {
  watcher.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a watcher", () => {
  it("reports the files that changed", async () => {
    const file = join(folder, "a.yaml");
    writeFileSync(file, "a");
    watcher.watch([file]);
    const changes = watcher.changes(new AbortController().signal);
    writeFileSync(file, "b");
    expect([...(await changes)]).toContain(file);
  });

  it("waits for nothing after an abort, also one that came before", async () => {
    const interruption = new AbortController();
    const changes = watcher.changes(interruption.signal);
    interruption.abort();
    expect([...(await changes)]).toEqual([]);
    expect([...(await watcher.changes(interruption.signal))]).toEqual([]);
  });
});
