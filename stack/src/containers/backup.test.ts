import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { makeShellFolder, type ShellFolder } from "../testing/shell-folder.ts";

/** Stands for docker: notes its arguments, and has three running containers. The script gets SIGNAL during the first copy. */
const docker = `#!/bin/sh
echo "$*" >>"$NOTES"
case "$*" in
  "compose ps "*) printf 'access\\nneo4j\\nredis\\n' ;;
  *" database dump "*) kill "-$SIGNAL" "$PPID" ;;
esac
`;

let folder: ShellFolder;
beforeEach(() => {
  folder = makeShellFolder({ docker });
});
afterEach(() => folder.remove());

describe("stack/backup/backup.sh", () => {
  it.each(["HUP", "INT", "TERM"])("starts what it has stopped where SIG%s interrupts it", (signal) => {
    const script = inRepository("stack", "backup", "backup.sh");
    const { status } = folder.run([script, folder.path("backup")], { SIGNAL: signal });
    expect(status).toBe(130);
    expect(folder.takeNotes()).toEqual([
      "compose ps --services --status running",
      "compose stop access",
      "compose stop neo4j redis",
      expect.stringMatching(/^compose run .* database dump neo4j --to-stdout$/),
      "compose start access neo4j redis",
    ]);
  });
});
