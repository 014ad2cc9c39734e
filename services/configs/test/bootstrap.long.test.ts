/** What the command does in processes of its own; bootstrap.test.ts has one that repeats an earlier one. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readCredentialFile } from "../src/bootstrap/credential-file.ts";
import { command, edit, expireText, folder, newSlot, pepper, useBootstrap } from "./bootstrap-under-test.ts";
import { environmentOfTest } from "./environment.ts";

useBootstrap();

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
