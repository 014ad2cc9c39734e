import { spawnSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { runIkg } from "../../test/command-environment.ts";
import { describeProgram } from "../program/describe-program.ts";

const scripts = new Map<string, Promise<string>>();

/** The script for a shell, which is made once. */
const scriptOf = (shell: string): Promise<string> => {
  const script = scripts.get(shell) ?? runIkg(["completion", shell]).then(({ output }) => output);
  scripts.set(shell, script);
  return script;
};

/** What bash proposes for the last word. */
const proposals = async (...words: readonly string[]): Promise<readonly string[]> => {
  const script = `${await scriptOf("bash")}
COMP_WORDS=(ikg ${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length}
_ikg
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8", cwd: "/" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter(Boolean);
};

describe("completion of bash", () => {
  it("proposes commands, commands of a family, options and values", async () => {
    expect(await proposals("wh")).toEqual(["who", "what"]);
    expect(await proposals("-o", "json", "sta")).toEqual(["status"]);
    expect(await proposals("keys", "")).toEqual(expect.arrayContaining(["create", "list", "revoke"]));
    expect(await proposals("keys", "create", "--ex")).toEqual(["--expires"]);
    expect(await proposals("may", "Person/ann", "READ", "Document/d1", "--exp")).toEqual(["--explain"]);
    expect(await proposals("status", "-o", "")).toEqual(["table", "json", "yaml", "csv", "ndjson"]);
  });
});

describe("completion", () => {
  it("of every shell has every command", async () => {
    const { commands } = await describeProgram();
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await scriptOf(shell);
      for (const { path } of commands) expect(script).toContain(path.split(" ").at(-1));
    }
  });

  it("of a shell that is installed is a script that it accepts", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { error, status } = spawnSync(shell, ["-n"], { input: await scriptOf(shell) });
      if (error === undefined) expect([shell, status]).toEqual([shell, 0]);
    }
  });

  it("knows no other shell", async () => {
    const { code, errors } = await runIkg(["completion", "cmd"]);
    expect([code, errors]).toEqual([2, "error: unknown shell cmd; expected bash, zsh or fish\n"]);
  });
});
