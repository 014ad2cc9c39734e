import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "@jest/globals";
import { makeShellFolder } from "../testing/shell-folder.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { isLongRun } from "../testing/test-environment.ts";

/** Stands for programs and scripts: notes its arguments, with a semicolon after it, and fails where that has FAILING in it. */
const program = String.raw`#!/bin/sh
call="$(printf '%s ' "$(basename "$0")" "$@" | tr '\n' ' ' | sed 's/ $//');"
echo "$call" >>"$NOTES"
case $call in *"$FAILING"*) exit 1 ;; esac
`;

const programs = ["docker", "helm", "jq", "kubectl", "npm"];
const scripts = ["deploy/replace.sh", "k8s/backup/restore.sh", "stack/backup/restore.sh"];
const folder = makeShellFolder(Object.fromEntries([...programs, ...scripts].map((name) => [name, program])));
const { path } = folder;
afterAll(() => folder.remove());
for (const name of ["backup.key", "monday.ikg"]) writeFileSync(path(name), `${name}\n`);

const operations = (name: string): string => documentedCommands(name).replaceAll("/backups/", path("/"));
const onCompose = documentedCommands("the folder of backups on compose");

/** As they are pasted: without options of the shell that would end it at a failure. */
const run = (commands: string, failing: string) => {
  const { status } = folder.run(["-c", commands], {
    FAILING: failing,
    NEXT_URI: "bolt://next",
    NEXT_USERNAME: "neo4j",
    NEXT_PASSWORD: "p",
  });
  return { status, calls: folder.takeNotes() };
};

interface Block {
  readonly commands: string;
  /** What the commands end with where all succeed. */
  readonly last: string;
  readonly failing: readonly string[];
}

const blocks: Readonly<Record<string, Block>> = {
  "restore on Compose": {
    commands: onCompose + operations("restore on compose"),
    last: "docker compose up --wait",
    failing: ["up --wait neo4j", "restore.ts --in"],
  },
  "prepare a restore on Kubernetes": {
    commands: operations("the pod of a restore on kubernetes"),
    last: "kubectl -n ikg wait --for=condition=Ready pod/restore",
    failing: ["create namespace", "create -f ikg-secrets.json", "helm install"],
  },
  "restore on Kubernetes": {
    commands: operations("restore on kubernetes"),
    last: "helm upgrade ikg",
    failing: ["cat >/backup/monday.ikg", "restore.ts --in"],
  },
  "move to another database on Compose": {
    commands: onCompose + operations("move on compose"),
    last: "docker compose run",
    failing: ["compose stop", "backup.ts --out"],
  },
  "move to another database on Kubernetes": {
    commands: operations("move on kubernetes"),
    last: "kubectl -n ikg delete pod restore",
    failing: ["backup.ts --out", "restore.ts --in"],
  },
  "move to another database in the repository": {
    commands: operations("move to another database"),
    last: "npm run ikg -- restore",
    failing: ["ikg -- backup"],
  },
  "restore copies of stores on Compose": {
    commands: operations("restore of stopped stores on compose"),
    last: "docker compose up --wait",
    failing: ["restore.sh FOLDER"],
  },
  "restore copies of stores on Kubernetes": {
    commands: operations("restore of stopped stores on kubernetes"),
    last: "kubectl -n ikg rollout status",
    failing: ["NAME --check", "scale deployment,statefulset", "delete pvc", "restore.sh NAME;"],
  },
  "replace services on Compose": {
    commands: documentedCommands("replace on compose", "upgrading.md"),
    last: "replace.sh gateway",
    failing: ["replace.sh capture"],
  },
};

describe("the commands of operations.md and upgrading.md", () => {
  const cases = Object.entries(blocks);

  it.each(cases)("that %s end with the last one", (_what, { commands, last }) => {
    const { status, calls } = run(commands, "nothing fails");
    expect([status, calls.at(-1)]).toEqual([0, expect.stringContaining(last)]);
  });

  /** `npm test` has the last one of each fail. */
  const failures = cases.flatMap(([what, { commands, failing }]) =>
    failing.slice(isLongRun() ? 0 : -1).map((each) => [what, each, commands] as const),
  );

  it.each(failures)("that %s run nothing after %s has failed", (_what, failing, commands) => {
    const { status, calls } = run(commands, failing);
    expect(status).not.toBe(0);
    expect(calls.at(-1)).toContain(failing);
  });

  it("that move a deployment restore no backup of an earlier attempt", () => {
    mkdirSync(path("backups"), { recursive: true });
    const files = ["backups/move.ikg", "move.ikg"].map(path);
    for (const file of files) writeFileSync(file, "of an earlier attempt");
    run(onCompose + operations("move on compose"), "nothing fails");
    run(operations("move to another database"), "nothing fails");
    for (const file of files) expect(() => readFileSync(file)).toThrow("ENOENT");
    const { calls } = run(operations("move on kubernetes"), "nothing fails");
    expect(calls[0]).toContain("rm -f /backup/move.ikg");
  });
});
