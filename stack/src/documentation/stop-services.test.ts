import { afterAll, describe, expect, it } from "@jest/globals";
import { makeShellFolder } from "../testing/shell-folder.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";

/** Notes its arguments. Audit cannot be asked at first, then it has records that wait, and then none. */
const kubectl = String.raw`#!/bin/sh
echo "$*" >>"$NOTES"
case $* in *"$FAILING"*) exit 1 ;; esac
case $* in *" exec "*)
  case $(grep -c ' exec ' "$NOTES") in
  1) exit 1 ;;
  2) echo 'ikg_audit_records_waiting{service="audit"} 10' ;;
  *) echo 'ikg_audit_records_waiting{service="audit"} 0' ;;
  esac ;;
esac
`;

const folder = makeShellFolder({ kubectl, sleep: "#!/bin/sh\n" });
afterAll(() => folder.remove());

const run = (failing: string) => {
  const { status } = folder.run(["-c", documentedCommands("stop the services of kubernetes")], {
    FAILING: failing,
  });
  return { status, calls: folder.takeNotes() };
};

describe("the commands of operations.md that stop the services of Kubernetes", () => {
  it("stop audit once no record waits", () => {
    const { status, calls } = run("nothing fails");
    expect(status).toBe(0);
    expect(calls.map((call) => / (scale|wait|exec) /.exec(call)?.[1])).toEqual([
      ...["scale", "wait", "exec", "exec", "exec"],
      ...["scale", "wait"],
    ]);
    expect(calls[0]).not.toMatch(/\baudit\b/);
    expect(calls.at(-2)).toContain("scale deployment audit --replicas=0");
  });

  it("leave audit running where the other services do not stop", () => {
    const { status, calls } = run("--for=delete");
    expect(status).not.toBe(0);
    expect(calls).toHaveLength(2);
  });
});
