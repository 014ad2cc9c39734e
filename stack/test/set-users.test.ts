import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { hasProgram } from "../src/system/prepare.ts";
import { makeShellFolder, type ShellFolder } from "../src/testing/shell-folder.ts";
import { requireVariable } from "../src/testing/test-environment.ts";
import { documentedCommands } from "../src/testing/suites/documented-commands.ts";

/** The documented commands that give a running Redis its users, with other commands for the Redis under the tests. */
const { hostname, port, password } = new URL(requireVariable("REDIS_URL"));

/** Run the command that would run in the container, and redis-cli for that Redis. */
const programs = {
  docker: '#!/bin/sh\nwhile [ "$1" != redis ]; do shift; done\nshift\nexec "$@"\n',
  kubectl: `#!/bin/sh
case "$*" in *" get secret "*) exit ;; esac
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`,
  "redis-cli": `#!/bin/sh\nPATH=\${PATH#*:} exec redis-cli -h ${hostname} -p ${port || "6379"} "$@"\n`,
};

let folder: ShellFolder;
beforeAll(() => {
  folder = makeShellFolder(programs);
  mkdirSync(folder.path("deploy/redis"), { recursive: true });
});
afterAll(() => folder.remove());

/** @param commands what set-users.sh prints */
const run = (name: string, commands: readonly string[]) => {
  const script = `cat <<'END'\n${commands.join("\n")}\nEND\n`;
  writeFileSync(folder.path("deploy/redis/set-users.sh"), script);
  return folder.run(["-euc", documentedCommands(name, "upgrading.md")], {
    REDIS_PASSWORD: decodeURIComponent(password),
  });
};

const withClient = hasProgram("redis-cli") ? describe : describe.skip;

withClient("the commands of upgrading.md that set users of Redis", () => {
  it.each(["users of Redis on compose", "users of Redis on kubernetes"])(
    "fail where Redis refuses one of them: %s",
    (name) => {
      expect(run(name, ["PING", "PING"])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("errors: 0, replies: 2"),
      });
      const refused = `ACL SETUSER set-users-${process.pid} +none-of-redis`;
      expect(run(name, ["PING", refused, "PING"])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("Error in ACL SETUSER modifier '+none-of-redis'"),
      });
    },
  );
});
