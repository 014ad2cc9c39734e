import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { Interrupted } from "../command.ts";
import { eventually } from "../testing/eventually.ts";
import { run } from "./run.ts";

const options = { cwd: process.cwd(), signal: new AbortController().signal };
const runScript = (script: string): Promise<string> => run(process.execPath, ["-e", script], options);

it("has characters of several bytes that come in two chunks", async () => {
  const script = `
    const [first, second] = Buffer.from("é");
    process.stdout.write(Buffer.from([first]));
    setTimeout(() => process.stdout.write(Buffer.from([second])), 100);
  `;
  await expect(runScript(script)).resolves.toBe("é");
});

it("fails with the last lines of the program", async () => {
  await expect(runScript("console.error('no disk'); process.exit(3)")).rejects.toThrow(/ failed\.\nno disk$/);
});

it("fails where there is no such program", async () => {
  await expect(run("ikg-no-such-program", [], options)).rejects.toThrow(
    /^ikg-no-such-program failed\.\n.*ENOENT/,
  );
});

it("waits, where it is interrupted, until the program has ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-run-"));
  const [started, ended] = [join(folder, "started"), join(folder, "ended")];
  const interruption = new AbortController();
  const interruptible = { ...options, signal: interruption.signal };
  const script = `
    const { writeFileSync } = require("node:fs");
    process.once("SIGTERM", () => setTimeout(() => process.exit(writeFileSync(process.argv[2], "")), 100));
    setTimeout(() => undefined, 60_000);
    writeFileSync(process.argv[1], "");
  `;
  try {
    const running = run(process.execPath, ["-e", script, started, ended], interruptible);
    const [outcome] = await Promise.allSettled([
      running,
      eventually(() => existsSync(started), Boolean, { withinMs: 30_000 }).then(() => interruption.abort()),
    ]);
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(Interrupted) });
    expect(existsSync(ended)).toBe(true);
    await expect(run(process.execPath, ["-e", ""], interruptible)).rejects.toThrow(Interrupted);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
