import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "ikg-secrets-"));
const file = join(folder, ".env");
afterAll(() => rmSync(folder, { recursive: true }));

const newSecrets = (...args: readonly string[]) => {
  const script = inRepository("deploy", "new-secrets.sh");
  const { status, stdout, stderr } = spawnSync("sh", [script, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
};
const linesOf = ({ stdout }: { readonly stdout: string }): readonly string[] => stdout.trim().split("\n");
const all = linesOf(newSecrets());

/** How lines of a file are written; `npm test` has them all in one file. */
const forms = ["$1=$2", "export $1=$2", "$1='$2'", '  $1 = "$2"  # a "comment"', "$1= $2 # a comment"];
const formsOfFiles = [forms, ...(isLongRun() ? forms.map((form) => [form]) : [])];

/** Those that a file does not have. */
const missingIn = (text: string) => {
  writeFileSync(file, text);
  return newSecrets("--missing", file);
};

describe("deploy/new-secrets.sh", () => {
  it.each(["genpkey", ...(isLongRun() ? ["rand", "pkey"] : [])])(
    "fails without output where openssl %s fails",
    (failing) => {
      const bin = join(folder, failing);
      mkdirSync(bin);
      const openssl = `#!/bin/sh\n[ "$1" != ${failing} ] || exit 1\nPATH=\${PATH#*:} exec openssl "$@"\n`;
      writeFileSync(join(bin, "openssl"), openssl, { mode: 0o755 });
      const { status, stdout } = spawnSync("sh", [inRepository("deploy", "new-secrets.sh")], {
        encoding: "utf8",
        env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
      });
      expect([status === 0, stdout]).toEqual([false, ""]);
    },
  );
});

describe("deploy/new-secrets.sh --missing", () => {
  it.each(formsOfFiles.map((each) => [each] as const))(
    "prints nothing where a file has them all in the forms %j",
    (used) => {
      const written = all.map((line, index) => line.replace(/(.*?)=(.*)/, used[index % used.length] ?? ""));
      expect(missingIn(`${written.join("\n")}\n`)).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );

  it("prints what is absent or empty alone, on lines of their own where the file does not end with a line feed", () => {
    const kept = all.filter((line) => !/^(REDIS_CIQ_PASSWORD|CREDENTIAL_PEPPER)=/.test(line));
    const made = missingIn(`${kept.join("\n")}\nCREDENTIAL_PEPPER= # none`);
    expect(made.stdout).toMatch(/^\nREDIS_CIQ_PASSWORD=[\da-f]{48}\nCREDENTIAL_PEPPER=[\w+/]{43}=\n$/);
  });

  it("seals tokens by the key of a release before 0.2.0", () => {
    const kept = all.filter((line) => !line.startsWith("TOKEN_SEALING_KEY="));
    const made = missingIn(`INTERNAL_CONTEXT_KEY=former=\n${kept.join("\n")}\n`);
    expect(made.stdout).toBe("TOKEN_SEALING_KEY=former=\n");
  });

  it("derives a public key that is absent from the private key of the file", () => {
    const key = newSigningKey();
    const kept = all.filter((line) => !line.startsWith("GATEWAY_"));
    const made = missingIn(`GATEWAY_SIGNING_KEY=${key}\n${kept.join("\n")}\n`);
    expect(made.stdout).toBe(`GATEWAY_PUBLIC_KEYS=${publicKeyOf(key)}\n`);
  });

  it("refuses a file that is absent, also by the documented command, which makes it", () => {
    const none = join(folder, "none");
    expect(newSecrets("--missing", none)).toEqual({
      status: 2,
      stdout: "",
      stderr: `new-secrets: ${none} is empty or absent\n`,
    });
    const command = 'sh "$1" --missing none >>none';
    const args = ["-c", command, "sh", inRepository("deploy", "new-secrets.sh")];
    const { status, stderr } = spawnSync("sh", args, { encoding: "utf8", cwd: folder });
    expect([status, stderr]).toEqual([2, "new-secrets: none is empty or absent\n"]);
    expect(readFileSync(none, "utf8")).toBe("");
  });

  it("refuses a file with a public key alone, a signing key that is none, and other arguments", () => {
    const kept = all.filter((line) => !line.startsWith("MCP_SIGNING_KEY="));
    expect(missingIn(`${kept.join("\n")}\n`)).toMatchObject({
      status: 2,
      stderr: `new-secrets: ${file} has MCP_PUBLIC_KEYS, but not MCP_SIGNING_KEY\n`,
    });
    const withoutGateway = all.filter((line) => !line.startsWith("GATEWAY_"));
    expect(missingIn(`${withoutGateway.join("\n")}\nGATEWAY_SIGNING_KEY=damaged\n`)).toEqual({
      status: 2,
      stdout: "",
      stderr: "new-secrets: GATEWAY_SIGNING_KEY is not a private key, DER in base64\n",
    });
    for (const args of [["--missing"], ["all"]])
      expect(newSecrets(...args)).toEqual({
        status: 2,
        stdout: "",
        stderr: "new-secrets: no argument or --missing FILE expected\n",
      });
  });
});
