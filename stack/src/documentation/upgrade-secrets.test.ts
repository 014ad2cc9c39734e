import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "@jest/globals";
import { passwordVariable, variablePrefix } from "../stores/redis-users.ts";
import { services } from "../services/service-names.ts";
import { inRepository } from "../repository.ts";
import { makeShellFolder } from "../testing/shell-folder.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";

/**
 * Keeps each Secret in a file, whose last line of a name counts: get secret NAME …; patch secret NAME --patch-file
 * /dev/stdin. With a file `interrupt` the commands get SIGINT once the entries of a Secret are in their file.
 */
const kubectl = String.raw`#!/bin/sh
shift 2
case "$1 $4" in
"get -o")
  cat "$3.stored"
  case "$5" in go-template=*) if [ -e interrupt ]; then kill -INT "$PPID"; fi ;; esac
  ;;
"patch --patch-file") sed -n 's/^  \([A-Z_]*\): "\(.*\)"$/\1=\2/p' >>"$3.stored" ;;
*) exit 1 ;;
esac
`;

const folder = makeShellFolder({ kubectl });
const { path } = folder;
afterAll(() => folder.remove());
symlinkSync(inRepository("deploy"), path("deploy"));

/** What the commands have left in the folder, but for the Secrets as they were. */
const leftOver = (): readonly string[] =>
  readdirSync(path(".")).filter((name) => !/^(bin|deploy|interrupt)$|\.stored$|\.before\.yaml$/.test(name));

type Entries = Readonly<Record<string, string>>;

const store = (secret: string, entries: Entries): void =>
  writeFileSync(
    path(`${secret}.stored`),
    Object.entries(entries)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
const stored = (secret: string): Entries =>
  Object.fromEntries(
    readFileSync(path(`${secret}.stored`), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s) as [string, string]), // each line is NAME=VALUE
  );
const run = () => {
  const commands = documentedCommands("secrets on kubernetes", "upgrading.md");
  const { status, stderr } = folder.run(["-euc", commands]);
  return { status, stderr };
};

describe("the commands of upgrading.md for the Secrets of Kubernetes", () => {
  const keys = {
    INTERNAL_CONTEXT_KEY: "former=",
    CREDENTIAL_PEPPER: "pepper=",
    CREDENTIAL_FORMER_PEPPERS: "pepper-before=",
    CONFIG_ENCRYPTION_KEY: "encryption=",
    AUDIT_PLATFORM_KEY_JWK: '{"kty":"EC"}',
  };
  const stores = { NEO4J_USERNAME: "neo4j", NEO4J_PASSWORD: "n", REDIS_PASSWORD: "r", REDIS_URL: "x" };

  it("add what is missing, and leave every other entry", () => {
    store("ikg-keys", { ...keys, TOKEN_SEALING_KEY: "" });
    store("ikg-stores", stores);
    expect(run()).toEqual({ status: 0, stderr: "" });
    expect(stored("ikg-keys")).toEqual({
      ...keys,
      TOKEN_SEALING_KEY: "former=",
      GATEWAY_SIGNING_KEY: expect.any(String),
      GATEWAY_PUBLIC_KEYS: expect.any(String),
      MCP_SIGNING_KEY: expect.any(String),
      MCP_PUBLIC_KEYS: expect.any(String),
    });
    const users = services.flatMap((service): readonly (readonly [string, unknown])[] => {
      const password = stored("ikg-stores")[passwordVariable(service)] ?? "";
      return [
        [passwordVariable(service), expect.stringMatching(/^[\da-f]{48}$/)],
        [`${variablePrefix(service)}_REDIS_URL`, `redis://${service}:${password}@redis:6379`],
      ];
    });
    expect(stored("ikg-stores")).toEqual({ ...stores, ...Object.fromEntries(users) });
    expect(leftOver()).toEqual([]);
  });

  it("change nothing where nothing is missing, and leave the files of an operator in the folder", () => {
    const before = [stored("ikg-keys"), stored("ikg-stores")];
    const files = ["keys.env", "new.env", "stores.env"];
    for (const name of files) writeFileSync(path(name), name);
    expect(run()).toEqual({ status: 0, stderr: "" });
    expect([stored("ikg-keys"), stored("ikg-stores")]).toEqual(before);
    expect(leftOver().toSorted()).toEqual(files);
    for (const name of files) {
      expect(readFileSync(path(name), "utf8")).toBe(name);
      rmSync(path(name));
    }
    // The Secret as it was before the first run.
    expect(readFileSync(path("ikg-keys.before.yaml"), "utf8")).not.toContain("GATEWAY_SIGNING_KEY");
  });

  it("leave no keys in files when they are interrupted", () => {
    writeFileSync(path("interrupt"), "");
    expect(run()).toEqual({ status: 130, stderr: "" });
    rmSync(path("interrupt"));
    expect(leftOver()).toEqual([]);
  });
});
