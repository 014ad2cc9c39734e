/** Given tokens, and what the command does in processes of its own; bootstrap.test.ts has one that repeats an earlier one. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { hashCredential, newCredential } from "@ikg/auth";
import { newGid } from "@ikg/contracts";
import { readCredentialFile } from "../src/bootstrap/credential-file.ts";
import { command, edit, expireText, folder, newSlot, pepper, useBootstrap } from "./bootstrap-under-test.ts";
import { environmentOfTest } from "./environment.ts";

useBootstrap();

describe("the first credential", () => {
  it("is replaced on demand though its token is held", async () => {
    const { run } = newSlot();
    const first = await run();
    const second = await run(undefined, { renew: true });
    expect(second).toMatchObject({ issued: true, replaced: { kid: first.token?.slice(4, 20) } });
    // From here on the new one is held.
    expect(await run()).toMatchObject({ token: second.token, issued: false });
  });

  it("can be given, and given again", async () => {
    const { run, records } = newSlot();
    const token = newCredential("sa1").token;
    expect(await run(token)).toMatchObject({ token, issued: true });
    expect(await run(token)).toMatchObject({ token, issued: false });
    const other = newCredential("sa1").token;
    expect(await run(other)).toMatchObject({
      token: other,
      issued: true,
      replaced: { kid: token.slice(4, 20) },
    });
    expect((await records()).map(({ kid }) => kid)).toContain(other.slice(4, 20));
    for (const bad of ["", "sa1_x", newCredential("ak1").token, `${token.slice(0, -1)}g`])
      expect(() => run(bad)).toThrow("BOOTSTRAP_SA_TOKEN: not a service account token");
  });
});

describe("a first credential that has ended", () => {
  it("is not renewed while the given token is valid: it would stay in the settings", async () => {
    const { run, records } = newSlot();
    const { token } = await run(newCredential("sa1").token);
    const before = await records();
    await expect(run(token, { renew: true })).rejects.toThrow("BOOTSTRAP_SA_TOKEN: is valid");
    expect(await records()).toEqual(before);
    const next = newCredential("sa1").token;
    expect(await run(next, { renew: true })).toMatchObject({ token: next, issued: true });
    expect(await run(undefined, { renew: true })).toMatchObject({ issued: true });
  });

  it("is not missing where the file has another valid token of the account", async () => {
    const { slot, file, run, records } = newSlot();
    const first = await run();
    const next = newCredential("sa1").token;
    await edit(
      "MATCH (c:_Record {unique_key: $slot + '/credential'}) CREATE (n:_Record) " +
        "SET n = c {.*, id: $id, unique_key: NULL, kid: $kid, token_hash: $hash}",
      {
        slot,
        id: newGid("service_account_credential"),
        kid: next.slice(4, 20),
        hash: hashCredential(next, pepper),
      },
    );
    await edit(expireText, { slot });
    await writeFile(file, (await readFile(file, "utf8")).replace(first.token ?? "", next));
    const before = await records();
    expect(await run()).toMatchObject({ token: next, issued: false, isLive: true });
    expect(await records()).toEqual(before);
  });
});

describe("the command", () => {
  it("says in one line each what is missing", async () => {
    await expect(command({ NEO4J_URI: "http://x" })).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^bootstrap: NEO4J_URI: .*\nbootstrap: NEO4J_PASSWORD: .*\nbootstrap: CREDENTIAL_PEPPER: .*\n$/,
      ),
    });
  });

  it("says in one line that the database is not there", async () => {
    await expect(
      command({
        NEO4J_URI: "bolt://127.0.0.1:1",
        NEO4J_PASSWORD: "secret-word",
        CREDENTIAL_PEPPER: pepper.toString("base64"),
      }),
    ).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^bootstrap: Neo4j at bolt:\/\/127.0.0.1:1 .*\n$/),
    });
    await expect(readFile(join(folder, "never.json"))).rejects.toThrow("ENOENT");
  });

  it("issues the first credential, and changes nothing once that has expired", async () => {
    const { slot, file, records } = newSlot();
    const env = { ...environmentOfTest(), BOOTSTRAP_SLOT: slot };
    await command(env, file);
    const issued = await readCredentialFile(file);
    expect(issued?.service_account_token).toMatch(/^sa1_/);
    await edit(expireText, { slot });
    const before = await records();
    expect(before).toHaveLength(3);
    const { stdout, stderr } = await command(env, file);
    expect(stdout).toBe("");
    expect(stderr).toContain("its first credential has expired or was deleted, nothing was changed");
    expect(await records()).toEqual(before);
    expect(await readCredentialFile(file)).toEqual(issued);
  }, 60_000);
});
