import { describe, expect, it } from "@jest/globals";
import { handOver } from "./hand-over.mjs";

const run = (script: string) => handOver(process.execPath, ["-e", script], process.env);

describe("handing over", () => {
  it("passes the exit code on, and a signal as a shell would", async () => {
    await expect(run("process.exit(7)")).resolves.toBe(7);
    await expect(run("process.kill(process.pid, 'SIGKILL')")).resolves.toBe(137);
  });

  it("gives the program a channel that closes with this process", async () => {
    await expect(run("process.exit(process.connected ? 0 : 1)")).resolves.toBe(0);
  });
});
