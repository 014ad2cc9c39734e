import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { makeShellFolder, type ShellFolder } from "../testing/shell-folder.ts";

/**
 * Stands for kubectl: notes its arguments, and has a Deployment with three replicas and a StatefulSet with one. The script gets
 * SIGNAL when it scales the StatefulSets down; Jobs end with the condition CONDITION, or are gone, and then cannot be deleted unless that is
 * ignored. RUNNING are pods of another run; a command that begins with FAILING fails.
 */
const kubectl = `#!/bin/sh
[ "$1" != --namespace ] || shift 2
echo "$*" >>"$NOTES"
case "$*" in
  "get deployment,statefulset "*) printf 'Deployment/access=3 StatefulSet/redis=1 ' ;;
  "get job "*) [ "$CONDITION" = gone ] || echo "a-job $CONDITION" ;;
  "get pods --selector=job-name in "*) echo "$RUNNING" ;;
  "scale statefulset --all "*) [ -z "$SIGNAL" ] || kill "-$SIGNAL" "$PPID" ;;
  "delete job "*--ignore-not-found) ;;
  "delete job "*) [ "$CONDITION" != gone ] ;;
  "$FAILING"*) exit 1 ;;
esac
`;

let folder: ShellFolder;
beforeEach(() => {
  folder = makeShellFolder({ kubectl });
});
afterEach(() => folder.remove());

const run = (
  name: string,
  args: readonly string[],
  variables: Readonly<Partial<Record<"SIGNAL" | "CONDITION" | "RUNNING" | "FAILING", string>>>,
) => {
  const result = folder.run([inRepository("k8s", "backup", name), ...args], {
    SIGNAL: "",
    CONDITION: "Complete",
    RUNNING: "",
    FAILING: "nothing",
    ...variables,
  });
  return { ...result, calls: folder.takeNotes() };
};

describe("k8s/backup/backup.sh", () => {
  const upAgain = [
    "scale Deployment/access --replicas=3",
    "scale StatefulSet/redis --replicas=1",
    "rollout status Deployment/access --timeout=300s",
    "rollout status StatefulSet/redis --timeout=300s",
  ];

  it.each(["HUP", "INT", "TERM"])("scales up what it has scaled down where SIG%s interrupts it", (signal) => {
    const { status, calls } = run("backup.sh", ["monday"], { SIGNAL: signal });
    expect(status).toBe(130);
    expect(calls.slice(calls.indexOf("scale statefulset --all --replicas=0") + 1)).toEqual(upAgain);
  });

  it("ends with 0 once everything is scaled up, and scales up the rest where a part cannot be", () => {
    const complete = run("backup.sh", ["monday"], {});
    expect([complete.status, complete.calls.slice(-4)]).toEqual([0, upAgain]);
    const { status, calls } = run("backup.sh", ["monday"], { FAILING: "scale Deployment/access" });
    expect([status, calls.slice(-4)]).toEqual([1, upAgain]);
  });
});

describe("k8s/backup/restore.sh --check", () => {
  it("runs the Jobs that compare checksums, and no other ones, also while the suite runs", () => {
    const { status, stdout, calls } = run("restore.sh", ["monday", "--check"], {});
    expect([status, stdout]).toEqual([0, "monday is as it was backed up\n"]);
    expect(calls.filter((line) => line.includes("--kustomize"))).toEqual([
      expect.stringMatching(/^apply --kustomize \S+\/k8s\/backup\/check$/),
    ]);
    expect(calls.filter((line) => line.startsWith("get pods --selector=app."))).toEqual([]);
  });

  it.each(["Failed", "gone"])("fails where a Job is %s, and names it", (condition) => {
    expect(run("restore.sh", ["monday", "--check"], { CONDITION: condition })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("failed: neo4j-copy redis-copy"),
    });
  });

  it("leaves the Jobs of a backup that runs alone", () => {
    const { status, calls } = run("restore.sh", ["monday", "--check"], { RUNNING: "pod/neo4j-copy-x" });
    expect(status).toBe(1);
    expect(calls.filter((line) => /^(delete|create|apply)/.test(line))).toEqual([]);
  });
});
