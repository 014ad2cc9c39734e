import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";

/**
 * Stands for kubectl: notes its arguments, and has a Deployment with three replicas and a StatefulSet with one. The script gets
 * SIGNAL when it scales the StatefulSets down; Jobs end with the condition CONDITION, or are gone. RUNNING are pods of another run.
 */
const kubectl = `#!/bin/sh
[ "$1" != --namespace ] || shift 2
echo "$*" >>"$NOTES"
case "$*" in
  "get deployment,statefulset "*) printf 'Deployment/access=3 StatefulSet/redis=1 ' ;;
  "get job "*) [ "$CONDITION" = gone ] || echo "a-job $CONDITION" ;;
  "get pods --selector=job-name in "*) echo "$RUNNING" ;;
  "scale statefulset --all "*) [ -z "$SIGNAL" ] || kill "-$SIGNAL" "$PPID" ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ikg-backup-"));
  writeFileSync(join(folder, "kubectl"), kubectl, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (
  name: string,
  args: readonly string[],
  variables: { readonly SIGNAL?: string; readonly CONDITION?: string; readonly RUNNING?: string },
) => {
  const notes = join(folder, "notes");
  const { status, stdout } = spawnSync("sh", [inRepository("k8s", "backup", name), ...args], {
    encoding: "utf8",
    env: {
      PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
      NOTES: notes,
      SIGNAL: "",
      CONDITION: "Complete",
      RUNNING: "",
      ...variables,
    },
  });
  return { status, stdout, calls: readFileSync(notes, "utf8").trim().split("\n") };
};

describe("k8s/backup/backup.sh", () => {
  it.each(["HUP", "INT", "TERM"])("scales up what it has scaled down where SIG%s interrupts it", (signal) => {
    const { status, calls } = run("backup.sh", ["monday"], { SIGNAL: signal });
    expect(status).toBe(130);
    expect(calls.slice(calls.indexOf("scale statefulset --all --replicas=0") + 1)).toEqual([
      "scale Deployment/access --replicas=3",
      "scale StatefulSet/redis --replicas=1",
      "rollout status Deployment/access --timeout=300s",
      "rollout status StatefulSet/redis --timeout=300s",
    ]);
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

  it.each(["Failed", "gone"])("fails where a Job is %s", (condition) => {
    expect(run("restore.sh", ["monday", "--check"], { CONDITION: condition })).toMatchObject({
      status: 1,
      stdout: "",
    });
  });

  it("leaves the Jobs of a backup that runs alone", () => {
    const { status, calls } = run("restore.sh", ["monday", "--check"], { RUNNING: "pod/neo4j-copy-x" });
    expect(status).toBe(1);
    expect(calls.filter((line) => /^(delete|create|apply)/.test(line))).toEqual([]);
  });
});
