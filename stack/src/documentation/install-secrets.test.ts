import { globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parseAllDocuments } from "yaml";
import { passwordVariable, variablePrefix } from "../stores/redis-users.ts";
import { services } from "../services/service-names.ts";
import { inRepository, repository } from "../repository.ts";
import { makeShellFolder, type ShellFolder } from "../testing/shell-folder.ts";
import { documentedCommands, documentedLines } from "../testing/suites/documented-commands.ts";

/** Keeps what a Secret is made of: create secret generic NAME --from-env-file=FILE. */
const kubectl = String.raw`#!/bin/sh
case $* in *" create secret generic "*) ;; *) exit 0 ;; esac
for each; do
  case $each in
  ikg-*) name=$each ;;
  --from-env-file=*) cat "$(echo "$each" | sed 's/^[^=]*=//')" >"$name.made" ;;
  esac
done
`;
const redisClient = "#!/bin/sh\ncat >redis.made\n";

let folder: ShellFolder;
beforeEach(() => {
  folder = makeShellFolder({ kubectl, "redis-cli": redisClient });
  symlinkSync(inRepository("deploy"), folder.path("deploy"));
});
afterEach(() => folder.remove());

const run = (...names: readonly string[]): void => {
  const commands = names.map((name) => documentedCommands(name)).join("");
  const { status, stderr } = folder.run(["-euc", commands]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
};

type Entries = Readonly<Record<string, string>>;

const entriesOf = (lines: readonly string[]): Entries =>
  Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string])); // each line is NAME=VALUE
const made = (name: string): Entries =>
  entriesOf(
    readFileSync(folder.path(`${name}.made`), "utf8")
      .trim()
      .split("\n"),
  );

interface Reference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

const referencesIn = (value: unknown): readonly Reference[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(
        ([name, inner]) => (name === "secretKeyRef" ? [inner as Reference] : referencesIn(inner)), // as Kubernetes has it
      )
    : [];

/** The entries without which a pod of these manifests does not start. */
const requiredOf = (secret: string, ...patterns: readonly string[]): readonly string[] => {
  const references = globSync(patterns, { cwd: repository }).flatMap((path) =>
    parseAllDocuments(readFileSync(inRepository(path), "utf8")).flatMap((each) => referencesIn(each.toJS())),
  );
  const keys = references.filter(({ name, optional }) => name === secret && optional !== true);
  return [...new Set(keys.map(({ key }) => key))];
};

const base = ["k8s/base/services/*.yaml", "k8s/base/patches/*.yaml"];

describe("the commands of operations.md that install on Kubernetes", () => {
  it("make every entry that a pod of the overlay local needs", () => {
    run("secrets of embedded stores");
    const [keys, stores] = [made("ikg-keys"), made("ikg-stores")];
    expect(Object.keys(keys)).toEqual(expect.arrayContaining([...requiredOf("ikg-keys", ...base)]));
    const required = requiredOf("ikg-stores", ...base, "k8s/overlays/local/stores.yaml");
    expect(required).toContain("REDIS_PASSWORD");
    expect(Object.keys(stores)).toEqual(expect.arrayContaining([...required]));
    for (const name of services) {
      const { [passwordVariable(name)]: password = "" } = stores;
      expect(stores[`${variablePrefix(name)}_REDIS_URL`]).toBe(`redis://${name}:${password}@redis:6379`);
    }
  });

  it("make every entry that a pod of the overlay production needs, and the users of Redis", () => {
    const lines = documentedLines("Make both files so that you alone can read them");
    writeFileSync(folder.path("stores.env"), `${lines.join("\n")}\n`);
    writeFileSync(folder.path("redis.password"), "p");
    run("keys for stores of your own", "secrets for stores of your own");
    expect(Object.keys(made("ikg-keys"))).toEqual(
      expect.arrayContaining([...requiredOf("ikg-keys", ...base)]),
    );
    expect(Object.keys(made("ikg-stores"))).toEqual(
      expect.arrayContaining([...requiredOf("ikg-stores", ...base)]),
    );
    const users = readFileSync(folder.path("redis.made"), "utf8").trim().split("\n");
    expect(new Set(users.map((line) => /^ACL SETUSER (\S+) /.exec(line)?.[1]))).toEqual(new Set(services));
    expect(users).toHaveLength(services.length);
  });
});
