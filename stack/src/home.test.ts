import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { claimHome, readClaim } from "./claim.ts";
import type { Home } from "./home.ts";
import { emptyHome, openHome, writePrivate } from "./home.ts";
import { readOrMakeSecrets } from "./secrets.ts";

let home: Home;
beforeEach(() => {
  home = openHome(join(mkdtempSync(join(tmpdir(), "home-")), "ikg"));
});
afterEach(() => rmSync(home.root, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("a home", () => {
  it("is for its owner only", () => {
    expect([home.root, home.logs, home.run].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    writeFileSync(home.environmentFile, "{}", { mode: 0o644 });
    writePrivate(home.environmentFile, { a: 1 });
    expect(modeOf(home.environmentFile)).toBe(0o600);
    expect(JSON.parse(readFileSync(home.environmentFile, "utf8"))).toEqual({ a: 1 });
  });

  it("keeps its secrets, until it is emptied", () => {
    const secrets = readOrMakeSecrets(home);
    expect(modeOf(home.secretsFile)).toBe(0o600);
    expect(Buffer.from(secrets.credential_pepper, "base64")).toHaveLength(32);
    expect(readOrMakeSecrets(home)).toEqual(secrets);
    emptyHome(home);
    expect(readOrMakeSecrets(home)).not.toEqual(secrets);
  });

  it.each(["", "{}", "[]", '{"neo4j_password": 1}'])("does not replace damaged secrets: %s", (text) => {
    writeFileSync(home.secretsFile, text);
    expect(() => readOrMakeSecrets(home)).toThrow("secrets.json is damaged");
  });
});

describe("the claim of a home", () => {
  it("is refused while a suite runs, and free again afterwards", async () => {
    const release = await claimHome(home, 8080);
    expect(readClaim(home)).toMatchObject({ owner: { pid: process.pid }, port: 8080 });
    await expect(claimHome(home, 8081)).rejects.toThrow(/already runs in .* \(process \d+, port 8080\)/);
    release();
    expect(readClaim(home)).toBeUndefined();
    (await claimHome(home, undefined))();
  });

  it("of a process that is gone is none, also when its id lives on", async () => {
    writePrivate(home.claimFile, { owner: { pid: process.pid, started: "another boot:1" }, port: 8080 });
    expect(readClaim(home)).toBeUndefined();
    (await claimHome(home, 8080))();
  });
});
