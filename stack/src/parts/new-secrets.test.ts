import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
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

/** Those that a file does not have. */
const missingIn = (text: string) => {
  writeFileSync(file, text);
  return newSecrets("--missing", file);
};

describe("deploy/new-secrets.sh --missing", () => {
  it("prints nothing where a file has them all, also with quotes or export", () => {
    const written = all.map((line, n) => (n % 2 === 0 ? `export ${line}` : line.replace(/=(.*)/, '="$1"')));
    expect(missingIn(`${written.join("\n")}\n`)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("prints what is absent or empty, and nothing that is there", () => {
    const kept = all.filter((line) => !/^(REDIS_CIQ_PASSWORD|CREDENTIAL_PEPPER)=/.test(line));
    const made = missingIn(`${kept.join("\n")}\nCREDENTIAL_PEPPER=\n`);
    expect(linesOf(made)).toEqual([
      expect.stringMatching(/^REDIS_CIQ_PASSWORD=[\da-f]{48}$/),
      expect.stringMatching(/^CREDENTIAL_PEPPER=[\w+/]{43}=$/),
    ]);
  });

  it("begins on a line of its own where the file does not end with a line feed", () => {
    expect(missingIn(all.slice(1).join("\n")).stdout).toMatch(/^\nNEO4J_PASSWORD=[\da-f]{48}\n$/);
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

  it("refuses a file with a public key alone, a file that is absent, and other arguments", () => {
    const kept = all.filter((line) => !line.startsWith("MCP_SIGNING_KEY="));
    expect(missingIn(`${kept.join("\n")}\n`)).toMatchObject({
      status: 2,
      stderr: `new-secrets: ${file} has MCP_PUBLIC_KEYS, but not MCP_SIGNING_KEY\n`,
    });
    expect(newSecrets("--missing", join(folder, "none"))).toMatchObject({ status: 1, stdout: "" });
    for (const args of [["--missing"], ["all"]])
      expect(newSecrets(...args)).toEqual({
        status: 2,
        stdout: "",
        stderr: "new-secrets: no argument or --missing FILE expected\n",
      });
  });
});
