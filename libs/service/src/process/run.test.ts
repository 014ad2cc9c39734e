import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";

let compiled: string;
beforeEach(() => {
  compiled = mkdtempSync(join(tmpdir(), "ikg-compiled-"));
});
afterEach(() => rmSync(compiled, { recursive: true, force: true }));

const files = (): number =>
  readdirSync(compiled, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

describe("a service whose compiled code is kept", () => {
  it("writes it once it has started, and nothing at its end, for which a caller waits", async () => {
    const run = JSON.stringify(new URL("run.ts", import.meta.url).href);
    const program = [
      `const { runService } = await import(${run});`,
      "await runService(async () => {});",
      "setInterval(() => {}, 1_000);",
      "process.stdout.write('up');",
    ].join("\n");
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(child.stdout, "data");
      const written = files();
      expect(written).toBeGreaterThan(0);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(files()).toBe(written);
    } finally {
      child.kill("SIGKILL");
    }
  }, 60_000);
});
