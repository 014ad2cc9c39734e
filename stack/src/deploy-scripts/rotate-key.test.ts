import { spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "ikg-rotate-"));
const file = join(folder, ".env");
afterAll(() => rmSync(folder, { recursive: true }));

const signing = newSigningKey();
const random = (byte: number): string => Buffer.alloc(32, byte).toString("base64");
const before = {
  NEO4J_PASSWORD: "x",
  GATEWAY_SIGNING_KEY: signing,
  GATEWAY_PUBLIC_KEYS: publicKeyOf(signing),
  TOKEN_SEALING_KEY: random(1),
};

beforeEach(() => {
  const lines = Object.entries(before).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(""), { mode: 0o600 });
});

const text = (): string => readFileSync(file, "utf8");
const variables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text()
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s) as [string, string]),
  );

const run = (path: string | undefined, args: readonly string[]) => {
  const { status, stderr } = spawnSync("sh", [inRepository("deploy", "rotate-key.sh"), ...args], {
    encoding: "utf8",
    env: { PATH: path, ENV_FILE: file },
  });
  return { status, stderr };
};
const rotate = (...args: readonly string[]) => run(process.env["PATH"], args);
const done = { status: 0, stderr: "" };

describe("deploy/rotate-key.sh", () => {
  it("takes a key through the three steps, and leaves everything else", () => {
    expect(rotate("accept", "TOKEN_SEALING_KEY")).toEqual(done);
    const { TOKEN_SEALING_FORMER_KEYS: next = "" } = variables();
    expect(Buffer.from(next, "base64")).toHaveLength(32);
    expect(variables()).toEqual({
      ...before,
      TOKEN_SEALING_FORMER_KEYS: next,
      TOKEN_SEALING_KEY_NEXT: next,
    });
    expect(rotate("use", "TOKEN_SEALING_KEY")).toEqual(done);
    expect(variables()).toEqual({
      ...before,
      TOKEN_SEALING_KEY: next,
      TOKEN_SEALING_FORMER_KEYS: before.TOKEN_SEALING_KEY,
    });
    expect(rotate("drop", "TOKEN_SEALING_KEY")).toEqual(done);
    expect(variables()).toEqual({ ...before, TOKEN_SEALING_KEY: next });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual([".env"]);
  });

  it("accepts the public key of a signing key, and of the former one until the end", () => {
    rotate("accept", "GATEWAY_SIGNING_KEY");
    const { GATEWAY_SIGNING_KEY_NEXT: next = "" } = variables();
    const key = createPrivateKey({ key: Buffer.from(next, "base64"), format: "der", type: "pkcs8" });
    const published = createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
    expect(variables()["GATEWAY_PUBLIC_KEYS"]).toBe(`${before.GATEWAY_PUBLIC_KEYS},${published}`);
    rotate("use", "GATEWAY_SIGNING_KEY");
    expect(variables()["GATEWAY_PUBLIC_KEYS"]).toBe(`${before.GATEWAY_PUBLIC_KEYS},${published}`);
    rotate("drop", "GATEWAY_SIGNING_KEY");
    expect(variables()).toEqual({ ...before, GATEWAY_SIGNING_KEY: next, GATEWAY_PUBLIC_KEYS: published });
  });

  it.each<[string, readonly string[], RegExp]>([
    ["a step that comes too early", ["use", "TOKEN_SEALING_KEY"], /there is no next TOKEN_SEALING_KEY/],
    ["an unknown step", ["replace", "TOKEN_SEALING_KEY"], /replace is no step/],
    ["an unknown key", ["accept", "TOKEN_SEALING_KEY", "NEO4J_PASSWORD"], /NEO4J_PASSWORD is no key/],
    ["a key that is not in the file", ["accept", "TOKEN_SEALING_KEY", "CREDENTIAL_PEPPER"], /has no CRED/],
    ["no key", ["accept"], /name a step and a key/],
  ])("refuses %s in one line, and changes nothing", (_what, args, line) => {
    const unchanged = text();
    const refused = rotate(...args);
    expect(refused).toEqual({ status: 2, stderr: expect.stringMatching(line) });
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
    expect(text()).toBe(unchanged);
    expect(readdirSync(folder)).toEqual([".env"]);
  });

  /** How lines of a file are written; `npm test` has them all in one file. */
  const forms = [
    "export NAME=VALUE",
    "NAME='VALUE'",
    '  NAME = "VALUE"  # a "comment"',
    "NAME= VALUE # a comment",
  ];
  const formsOfFiles = [forms, ...(isLongRun() ? forms.map((form) => [form]) : [])];

  it.each(formsOfFiles.map((each) => [each] as const))(
    "reads lines of the forms %j as docker compose does, and leaves those that it does not change",
    (used) => {
      const names = Object.keys(before);
      const line = (name: keyof typeof before): string => {
        const form = used[names.indexOf(name) % used.length] ?? "";
        return `${form.replace("NAME", name).replace("VALUE", before[name])}\n`;
      };
      const others = line("NEO4J_PASSWORD") + line("TOKEN_SEALING_KEY");
      writeFileSync(file, line("GATEWAY_PUBLIC_KEYS") + others + line("GATEWAY_SIGNING_KEY"));
      expect(rotate("accept", "GATEWAY_SIGNING_KEY")).toEqual(done);
      const { GATEWAY_SIGNING_KEY_NEXT: next = "" } = variables();
      const published = publicKeyOf(next);
      expect(variables()["GATEWAY_PUBLIC_KEYS"]).toBe(`${before.GATEWAY_PUBLIC_KEYS},${published}`);
      expect(rotate("use", "GATEWAY_SIGNING_KEY")).toEqual(done);
      expect(rotate("drop", "GATEWAY_SIGNING_KEY")).toEqual(done);
      expect(text()).toBe(`${others}GATEWAY_SIGNING_KEY=${next}\nGATEWAY_PUBLIC_KEYS=${published}\n`);
    },
  );

  it("refuses a signing key of which it can derive no public key, and changes nothing", () => {
    const unchanged = text().replace(signing, "damaged");
    writeFileSync(file, unchanged);
    for (const step of ["accept", "drop"])
      expect(rotate(step, "TOKEN_SEALING_KEY", "GATEWAY_SIGNING_KEY")).toMatchObject({ status: 2 });
    expect(rotate("accept", "GATEWAY_SIGNING_KEY")).toEqual({
      status: 2,
      stderr: "rotate-key: GATEWAY_SIGNING_KEY is not a private key, DER in base64\n",
    });
    expect(text()).toBe(unchanged);
    expect(readdirSync(folder)).toEqual([".env"]);
  });

  it("keeps a last line without an end", () => {
    writeFileSync(file, text().trimEnd());
    expect(rotate("accept", "TOKEN_SEALING_KEY")).toEqual(done);
    expect(variables()).toMatchObject(before);
  });

  it("leaves no copy when it is interrupted", () => {
    const bin = mkdtempSync(join(tmpdir(), "ikg-rotate-bin-"));
    writeFileSync(join(bin, "openssl"), '#!/bin/sh\nkill -INT "$PPID"\n', { mode: 0o755 });
    const unchanged = text();
    expect(run(`${bin}:${process.env["PATH"] ?? ""}`, ["accept", "TOKEN_SEALING_KEY"]).status).toBe(130);
    rmSync(bin, { recursive: true });
    expect(text()).toBe(unchanged);
    expect(readdirSync(folder)).toEqual([".env"]);
  });

  it("refuses a step a second time", () => {
    rotate("accept", "TOKEN_SEALING_KEY");
    expect(rotate("accept", "TOKEN_SEALING_KEY").stderr).toContain("is there: use it");
    expect(rotate("drop", "TOKEN_SEALING_KEY").stderr).toContain("is not in use: use it first");
    rotate("use", "TOKEN_SEALING_KEY");
    expect(rotate("accept", "TOKEN_SEALING_KEY").stderr).toContain("finish that rotation by drop");
  });
});
