import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
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

const folder = mkdtempSync(join(tmpdir(), "ikg-redis-password-"));
const notes = join(folder, "notes");
mkdirSync(join(folder, "bin"));
writeFileSync(join(folder, "bin", "kubectl"), kubectl, { mode: 0o700 });
afterAll(() => rmSync(folder, { recursive: true }));

const run = (failing: string) => {
  writeFileSync(notes, "");
  const commands = documentedCommands("the password of a service at Redis on kubernetes");
  const { status } = spawnSync("sh", ["-c", commands], {
    encoding: "utf8",
    env: {
      PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
      NOTES: notes,
      FAILING: failing,
    },
  });
  return { status, calls: readFileSync(notes, "utf8").trim().split("\n") };
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
