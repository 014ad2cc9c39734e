import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";

/** Stands for docker: notes its arguments, and has three running containers. The script gets SIGNAL during the first copy. */
const docker = `#!/bin/sh
echo "$*" >>"$NOTES"
case "$*" in
  "compose ps "*) printf 'access\\nneo4j\\nredis\\n' ;;
  *" database dump "*) kill "-$SIGNAL" "$PPID" ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ikg-backup-"));
  writeFileSync(join(folder, "docker"), docker, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("stack/backup/backup.sh", () => {
  it.each(["HUP", "INT", "TERM"])("starts what it has stopped where SIG%s interrupts it", (signal) => {
    const notes = join(folder, "notes");
    const script = inRepository("stack", "backup", "backup.sh");
    const { status } = spawnSync("sh", [script, join(folder, "backup")], {
      encoding: "utf8",
      env: {
        PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
        NOTES: notes,
        SIGNAL: signal,
      },
    });
    expect(status).toBe(130);
    expect(readFileSync(notes, "utf8").trim().split("\n")).toEqual([
      "compose ps --services --status running",
      "compose stop access",
      "compose stop neo4j redis",
      expect.stringMatching(/^compose run .* database dump neo4j --to-stdout$/),
      "compose start access neo4j redis",
    ]);
  });
});
