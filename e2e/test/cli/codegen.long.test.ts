import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { environment } from "../../src/environment.ts";

/** `ikg codegen` on a live project: the same types as those of its files. */
const root = fileURLToPath(new URL("../../../", import.meta.url));
const airfield = (path: string): string => join(root, "examples", "airfield", path);
const folder = mkdtempSync(join(tmpdir(), "ikg-codegen-"));
let project: TestProject;

const codegen = (file: string, ...args: readonly string[]): Promise<{ code: number; errors: string }> =>
  new Promise((resolve) => {
    const { base_url, service_account_token } = environment();
    const command = ["codegen", "--project", project.name, "--name", "Airfield", "--out", join(folder, file)];
    execFile(
      process.execPath,
      [join(root, "apps", "cli", "src", "main.ts"), ...command, ...args],
      {
        env: {
          ...process.env,
          IKG_URL: base_url,
          IKG_SERVICE_ACCOUNT_TOKEN: service_account_token,
          IKG_CLIENT_KEY: project.clientKey,
        },
      },
      (error, _output, errors) => resolve({ code: Number(error?.code ?? 0), errors }),
    );
  });

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  const query = (name: string, policy: string) => ({ policy, query: airfield(`queries/${name}.json`) });
  project = await createTestProject({
    baseUrl,
    token,
    name: "codegen",
    graph: [airfield("nodes.json"), airfield("relationships.json")],
    policies: Object.fromEntries(
      ["may-fly", "may-read-own", "may-read-ratings", "may-sign"].map((name) => [
        name,
        airfield(`policies/${name}.json`),
      ]),
    ),
    queries: {
      "my-ratings": query("my-ratings", "may-read-own"),
      "rated-pilots": query("rated-pilots", "may-read-ratings"),
      "sign-agreement": query("sign-agreement", "may-sign"),
    },
  });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await project?.remove();
});

describe("ikg codegen", () => {
  it("writes the types of a live project, and tells when they are stale", async () => {
    expect(await codegen("live.ts")).toEqual({ code: 0, errors: "" });
    const types = readFileSync(join(folder, "live.ts"), "utf8");
    expect(types).toBe(readFileSync(join(root, "libs", "client", "test", "airfield.ts"), "utf8"));
    expect((await codegen("live.ts", "--check")).code).toBe(0);
    await project.admin.policies.update("may-fly", (policy) => ({ ...policy, status: "INACTIVE" }));
    const stale = await codegen("live.ts", "--check");
    expect([stale.code, stale.errors.includes("is out of date")]).toEqual([1, true]);
  });

  it("ends with 2 and one line where the project is not there", async () => {
    const { code, errors } = await codegen("none.ts", "--project", "no-such-project");
    expect([code, errors.trim().split("\n").length]).toEqual([2, 1]);
  });
});
