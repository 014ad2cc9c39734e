import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { freshProjects } from "./run-file.ts";
import { openSession } from "./session.ts";

const program = fileURLToPath(new URL("../../main.ts", import.meta.url));
/** Files with errors: no suite is needed for their results. */
const folder = fileURLToPath(new URL("../file/wrong", import.meta.url));

const noSuite = (): never => {
  throw new Error("no suite is needed");
};

describe("a session of policy tests", () => {
  it("starts no further file when it is interrupted", async () => {
    const interruption = new AbortController();
    const session = openSession(noSuite, {
      cwd: folder,
      jobs: 1,
      resolverHost: "127.0.0.1",
      openPool: freshProjects,
      explainsAll: false,
    });
    const files = ["empty.ikg.yaml", "names.ikg.yaml"].map((name) => join(folder, name));
    const running = session.run(files, interruption.signal);
    interruption.abort();
    expect((await running).map(({ file }) => file)).toEqual(["empty.ikg.yaml"]);
    await session.close();
  });
});

describe("ikg test --watch", () => {
  it("ends where its report cannot be written", () => {
    const args = [program, "test", ".", "--watch", "--reporter", "junit=."];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining("error: . cannot be written")]);
  }, 30_000);
});
