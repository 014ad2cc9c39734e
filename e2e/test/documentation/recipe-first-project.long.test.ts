import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin } from "@ikg/client";
import { environment } from "../../src/environment.ts";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

/** docs/recipes/first-project.md: the script as it stands. */
const script = readFileSync(new URL("../../../examples/recipes/first-project.sh", import.meta.url), "utf8");

let shell: AirfieldShell;
const removeSchool = async (): Promise<void> => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  await new IkgAdmin({ baseUrl, token }).projects.delete("flying-school").catch(() => undefined);
};

beforeAll(async () => {
  await removeSchool();
  shell = await openAirfieldShell();
}, 120_000);
afterAll(async () => {
  await removeSchool();
  await shell?.remove();
});

describe("first-project", () => {
  it("leads from nothing to a decision", async () => {
    writeFileSync(join(shell.folder, "script.sh"), script);
    const { code, output, errors } = await shell.run("sh script.sh");
    expect([code, errors]).toEqual([0, expect.not.stringContaining("error")]);
    expect(output).toContain("1 created, 0 changed, 0 deleted.\n");
    expect(output).toContain("Pilot/bessie FLY Aircraft/N300: granted\n");
    expect(readFileSync(join(shell.folder, "school/policies/may-fly.yaml"), "utf8")).toContain(
      "status: ACTIVE",
    );
  }, 60_000);

  it("has types of the project of the context without naming it", async () => {
    const { code, errors } = await shell.run("ikg codegen --out ikg.ts");
    expect([code, errors]).toEqual([0, ""]);
    expect(readFileSync(join(shell.folder, "ikg.ts"), "utf8")).toContain("FLY");
  }, 30_000);
});
