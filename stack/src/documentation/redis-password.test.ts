import { afterAll, describe, expect, it } from "@jest/globals";
import { makeShellFolder } from "../testing/shell-folder.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";

/** Notes its arguments and what it reads, and fails where the arguments have FAILING in them. The former password is `former`. */
const kubectl = String.raw`#!/bin/sh
input=
case $* in
*" get secret "*) printf former ;;
*" exec "* | *" patch "*) input=$(cat) ;;
esac
echo "$* $input" >>"$NOTES"
case $* in *"$FAILING"*) exit 1 ;; esac
`;

const folder = makeShellFolder({ kubectl });
afterAll(() => folder.remove());

const run = (failing: string) => {
  const commands = documentedCommands("the password of a service at Redis on kubernetes");
  const { status } = folder.run(["-c", commands], { FAILING: failing });
  return { status, calls: folder.takeNotes() };
};

describe("the commands of operations.md that change the password of a service at Redis on Kubernetes", () => {
  it("add the new password, give it to the service, and then remove the former one", () => {
    const { status, calls } = run("nothing fails");
    expect(status).toBe(0);
    const next = / ACL SETUSER access >([0-9a-f]{48})$/.exec(calls[1] ?? "")?.[1] ?? "";
    expect(next).not.toBe("");
    expect(calls[2]).toContain(`REDIS_ACCESS_PASSWORD: "${next}"`);
    expect(calls[2]).toContain(`ACCESS_REDIS_URL: "redis://access:${next}@redis:6379"`);
    expect(calls.slice(3).map((call) => / (restart|status|exec) /.exec(call)?.[1])).toEqual([
      "restart",
      "status",
      "exec",
    ]);
    expect(calls.at(-1)).toMatch(/ ACL SETUSER access <former$/);
  });

  it.each(["get secret", "exec", "patch", "rollout restart", "rollout status"])(
    "leave the former password valid where %s fails",
    (failing) => {
      const { status, calls } = run(failing);
      expect(status).not.toBe(0);
      expect(calls.at(-1)).toContain(failing);
      expect(calls.join("\n")).not.toContain("access <former");
    },
  );
});
