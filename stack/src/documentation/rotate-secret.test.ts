import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { inRepository } from "../repository.ts";
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";
import { makeShellFolder } from "../testing/shell-folder.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";

/**
 * Shows the entries of the Secret in `entries`, and keeps a patch of its `version` in `patch`. A restart fails while keys are in
 * a file. With a file `interrupt` the script gets SIGINT before the patch, and with a file `unready` a service does not become ready.
 */
const kubectl = String.raw`#!/bin/sh
shift 2
case "$*" in
"get secret ikg-keys --output=jsonpath={.metadata.resourceVersion}") cat version ;;
"get secret ikg-keys --output=go-template="*)
  cat entries
  if [ -e next-version ]; then mv next-version version; fi
  ;;
"get secret ikg-keys --output=yaml")
  cat entries
  if [ -e interrupt ]; then kill -INT "$PPID"; fi
  ;;
"patch secret ikg-keys --type=merge --patch-file /dev/stdin")
  cat >sent
  grep -qxF "  resourceVersion: \"$(cat version)\"" sent || { echo "the object has been modified" >&2; exit 1; }
  mv sent patch
  ;;
"get deployment --output=name") printf 'deployment.apps/%s\n' access audit ;;
"rollout restart deployment.apps/"*) [ -z "$(find . -name '*.env')" ] && echo "restarted $(basename "$3")" >>log ;;
"rollout status deployment.apps/"*" --timeout=600s") [ ! -e unready ] && echo "ready $(basename "$3")" >>log ;;
*) exit 1 ;;
esac
`;

const folder = makeShellFolder({ kubectl });
const { path } = folder;
afterAll(() => folder.remove());
symlinkSync(inRepository("k8s"), path("k8s"));

type Entries = Readonly<Record<string, string>>;

/** A merge patch of a Secret. */
interface Patch {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly annotations: Readonly<Record<string, null>>;
  };
  readonly stringData: Entries;
  readonly data: Readonly<Record<string, null>>;
}

const signing = newSigningKey();
const random = (byte: number): string => Buffer.alloc(32, byte).toString("base64");
const before: Entries = {
  AUDIT_PLATFORM_KEY_JWK: '{"kty":"EC","x":"a=b"}',
  BINARY: "\0\xff\n\xfe=\0",
  CONFIG_ENCRYPTION_KEY: random(1),
  CREDENTIAL_PEPPER: random(2),
  GATEWAY_PUBLIC_KEYS: publicKeyOf(signing),
  GATEWAY_SIGNING_KEY: signing,
  MCP_PUBLIC_KEYS: publicKeyOf(signing),
  MCP_SIGNING_KEY: signing,
  TOKEN_SEALING_KEY: random(3),
};
const randomKeys: Entries = {
  CONFIG_ENCRYPTION_KEY: "CONFIG_ENCRYPTION_FORMER_KEYS",
  CREDENTIAL_PEPPER: "CREDENTIAL_FORMER_PEPPERS",
  TOKEN_SEALING_KEY: "TOKEN_SEALING_FORMER_KEYS",
};
const publicKeys = ["GATEWAY_PUBLIC_KEYS", "MCP_PUBLIC_KEYS"];
const keys = [...Object.keys(randomKeys), "GATEWAY_SIGNING_KEY", "MCP_SIGNING_KEY"];

let entries: Entries;
const store = (next: Entries, version: string): void => {
  entries = next;
  const lines = Object.entries(entries).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path("entries"), lines.join(""), "latin1"); // each character is a byte
  writeFileSync(path("version"), version);
};
/** What the script has left in the folder. */
const leftOver = (): readonly string[] =>
  readdirSync(path(".")).filter((name) => !["bin", "k8s", "entries", "version"].includes(name));
beforeEach(() => {
  for (const name of leftOver()) rmSync(path(name));
  store(before, "41");
});

const documented = documentedCommands("rotate keys on kubernetes");
/** One key takes a part of the time of all. */
const acceptOne = documented.replace(/ accept .*/, " accept TOKEN_SEALING_KEY");
const run = (step: string, commands = documented.replace(" accept ", ` ${step} `)) => {
  const { status, stderr } = folder.run(["-euc", commands]);
  return { status, stderr: stderr.trim() };
};

/** Runs a step, and applies its patch. @returns the patch */
const rotate = (step: string): Patch => {
  expect(run(step)).toEqual({ status: 0, stderr: "" });
  const patch = parse(readFileSync(path("patch"), "utf8")) as Patch; // compared below
  const kept = Object.entries(entries).filter(([name]) => !(name in patch.data));
  store({ ...Object.fromEntries(kept), ...patch.stringData }, `${patch.metadata.resourceVersion}1`);
  return patch;
};

/** What the log has after a restart of all services. */
const oneAfterTheOther = "restarted access\nready access\nrestarted audit\nready audit\n";

const sorted = (names: readonly string[]): readonly string[] => names.toSorted();

describe("the commands of operations.md that rotate keys on Kubernetes, by k8s/rotate-key.sh", () => {
  it("patch the entries that change in each step, and nothing else of the Secret", () => {
    const accepted = rotate("accept");
    const added = [...Object.values(randomKeys), ...keys.map((name) => `${name}_NEXT`), ...publicKeys];
    expect(accepted).toEqual({
      metadata: {
        resourceVersion: "41",
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": null },
      },
      stringData: Object.fromEntries(added.map((name) => [name, expect.any(String)])),
      data: {},
    });

    const used = rotate("use");
    expect(sorted(Object.keys(used.stringData))).toEqual(sorted([...keys, ...Object.values(randomKeys)]));
    expect(used.data).toEqual(Object.fromEntries(keys.map((name) => [`${name}_NEXT`, null])));
    for (const [name, former] of Object.entries(randomKeys)) {
      expect(used.stringData[name]).toBe(accepted.stringData[`${name}_NEXT`]);
      expect(used.stringData[former]).toBe(before[name]);
    }

    const dropped = rotate("drop");
    const next = accepted.stringData["GATEWAY_SIGNING_KEY_NEXT"] ?? "";
    expect(sorted(Object.keys(dropped.stringData))).toEqual(publicKeys);
    expect(dropped.stringData["GATEWAY_PUBLIC_KEYS"]).toBe(publicKeyOf(next));
    expect(dropped.data).toEqual(Object.fromEntries(Object.values(randomKeys).map((name) => [name, null])));

    expect(sorted(Object.keys(entries))).toEqual(Object.keys(before));
    expect(entries["AUDIT_PLATFORM_KEY_JWK"]).toBe(before["AUDIT_PLATFORM_KEY_JWK"]);
    expect(readFileSync(path("log"), "utf8")).toBe(oneAfterTheOther.repeat(3));
    const copies = ["accept", "drop", "use"].map((step) => `ikg-keys.${step}.yaml`);
    expect(sorted(leftOver())).toEqual([...copies, "log", "patch"]);
  });

  it("change nothing, and restart nothing, where the Secret was changed meanwhile", () => {
    writeFileSync(path("next-version"), "42");
    expect(run("accept", acceptOne)).toEqual({ status: 1, stderr: "the object has been modified" });
    expect(sorted(leftOver())).toEqual(["ikg-keys.accept.yaml", "sent"]);
    expect(run("accept", acceptOne)).toEqual({ status: 0, stderr: "" });
  });

  it("leave no keys in files when they are interrupted", () => {
    writeFileSync(path("interrupt"), "");
    expect(run("accept", acceptOne)).toEqual({ status: 130, stderr: "" });
    expect(sorted(leftOver())).toEqual(["ikg-keys.accept.yaml", "interrupt"]);
  });

  it("say how to repeat the restart alone where a service does not become ready", () => {
    writeFileSync(path("unready"), "");
    const stderr = expect.stringMatching(/the Secret is changed, .*: run sh k8s\/rotate-key\.sh restart,/);
    expect(run("accept", acceptOne)).toEqual({ status: 1, stderr });
    expect(sorted(leftOver())).toEqual(["ikg-keys.accept.yaml", "log", "patch", "unready"]);

    const again = "sh k8s/rotate-key.sh restart";
    expect(run("", again)).toEqual({ status: 1, stderr: "" });
    rmSync(path("unready"));
    rmSync(path("log"));
    rmSync(path("patch"));
    expect(run("", again)).toEqual({ status: 0, stderr: "" });
    expect(readFileSync(path("log"), "utf8")).toBe(oneAfterTheOther);
    expect(sorted(leftOver())).toEqual(["ikg-keys.accept.yaml", "log"]);
  });

  it.each([
    [
      "a step that does not fit",
      documented.replace(" accept ", " use "),
      /there is no next \w+: make one by/,
    ],
    ["an unknown step", documented.replace(" accept ", " replace "), /replace is no step/],
    ["no key", "sh k8s/rotate-key.sh accept", /^rotate-key: name a step and a key: sh k8s\/rotate-key\.sh /],
  ])("end before the Secret is touched at %s", (_what, commands, line) => {
    expect(run("", commands)).toEqual({ status: 2, stderr: expect.stringMatching(line) });
    expect(leftOver()).toEqual([]);
  });
});
