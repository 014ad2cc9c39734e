import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { inRepository } from "../src/repository.ts";
import { eventually } from "../src/testing/eventually.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "ikg-write-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("the writer of a data set ends its database and removes it where it is interrupted", async () => {
  const [scratch, file] = [join(folder, "scratch"), join(folder, "9.9.9.ndjson.gz")];
  mkdirSync(scratch);
  const program = inRepository("stack", "src", "data-set", "write.ts");
  const writer = spawn(process.execPath, [program, file, "9.9.9"], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: "ignore",
  });
  const exited = once(writer, "exit");
  await eventually(
    () => readdirSync(scratch),
    ({ length }) => length > 0,
    { withinMs: 60_000 },
  );
  writer.kill("SIGTERM");
  expect(await exited).toEqual([130, null]);
  expect([readdirSync(scratch), existsSync(file)]).toEqual([[], false]);
}, 300_000);
