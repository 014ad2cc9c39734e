import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { makeShellFolder, type ShellFolder } from "../testing/shell-folder.ts";

/**
 * Stands for docker: notes its arguments, and has two containers of access and one of ciq. `a0` of access is stopped; `r0` and `r1`
 * are of docker compose run. The script gets SIGINT when the command of INTERRUPT begins.
 */
const docker = `#!/bin/sh
echo "$*" >>"$NOTES"
case "$*" in "$INTERRUPT"*) kill -INT "$PPID" ;; esac
case "$*" in
  "compose ps --quiet access") printf 'a1\\na2\\n' ;;
  "compose ps --quiet ciq") echo c1 ;;
  "compose ps --all --quiet --status created --status exited --status dead access"*) printf 'a0\\nr0\\n' ;;
  "compose ps --all --quiet access") printf 'a1\\na2\\na3\\nr1\\na4\\n' ;;
  "inspect "*oneoff*" r0" | "inspect "*oneoff*" r1") echo True ;;
  "inspect "*) echo False ;;
  "compose up"*) exit "$UP" ;;
esac
`;

const sleep = `#!/bin/sh\necho "sleep $1" >>"$NOTES"\n[ "$INTERRUPT" != sleep ] || kill -INT "$PPID"\n`;

let folder: ShellFolder;
beforeEach(() => {
  folder = makeShellFolder({ docker, sleep });
});
afterEach(() => folder.remove());

const run = (names: readonly string[], up: number, interrupt = "never") => {
  const { status, stderr } = folder.run([inRepository("deploy", "replace.sh"), ...names], {
    UP: String(up),
    INTERRUPT: interrupt,
  });
  return {
    status,
    stderr,
    commands: folder.takeNotes().filter((line) => !/^(compose ps|inspect) /.test(line)),
  };
};
const replace = (up: number, ...names: readonly string[]) => run(names, up);

describe("deploy/replace.sh", () => {
  it("starts as many beside them as run, removes stopped ones before, and stops the former ones once these are known", () => {
    expect(replace(0, "access", "ciq")).toEqual({
      status: 0,
      stderr: "",
      commands: [
        "rm --force a0",
        "compose up --detach --wait --no-build --no-deps --no-recreate --scale access=4 --scale ciq=2 access ciq",
        "sleep 6",
        ...["a1", "a2", "c1"].flatMap((id) => [`stop ${id}`, `rm ${id}`]),
        "sleep 6",
      ],
    });
  });

  it("removes the next ones where they do not become healthy, and leaves the former ones and those of docker compose run", () => {
    expect(replace(1, "access")).toEqual({
      status: 1,
      stderr: expect.stringMatching(/not healthy/),
      commands: ["rm --force a0", expect.stringMatching(/^compose up/), "rm --force a3", "rm --force a4"],
    });
  });

  it.each<[string, readonly string[]]>([
    ["compose up", []],
    ["sleep", ["sleep 6"]],
  ])("removes the next ones, and leaves the former ones, where %s is interrupted", (command, before) => {
    expect(run(["access"], 0, command)).toEqual({
      status: 130,
      stderr: expect.stringMatching(/interrupted/),
      commands: [
        "rm --force a0",
        expect.stringMatching(/^compose up/),
        ...before,
        "rm --force a3",
        "rm --force a4",
      ],
    });
  });

  it("ends what it has begun where it is interrupted once the former ones are stopped", () => {
    const { status, commands } = run(["access"], 0, "stop");
    expect(status).toBe(0);
    expect(commands.slice(2)).toEqual([
      "sleep 6",
      ...["a1", "a2"].flatMap((id) => [`stop ${id}`, `rm ${id}`]),
      "sleep 6",
    ]);
  });

  it.each<[string, readonly string[], RegExp]>([
    ["no service", [], /name services/],
    ["a service that does not run", ["mcp"], /mcp does not run/],
  ])("refuses %s", (_what, names, message) => {
    const { status, stderr, commands } = replace(0, ...names);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(commands.filter((line) => line !== "")).toEqual([]);
  });
});
