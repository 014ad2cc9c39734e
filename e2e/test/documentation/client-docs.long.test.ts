import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { environment } from "../../src/environment.ts";

/** The blocks of docs/client.md, run as one program on a project like that of the README. */
const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "docs", "client.md"), "utf8");
const code = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block).join("\n");

/** What comments say that is printed: behind a statement, or in lines of their own. */
const printed = code
  .split("\n")
  .flatMap((line) => /(?:^|; )\/\/ (.*)$/.exec(line)?.[1] ?? [])
  .join("\n");

const airfield = (path: string): string => join(root, "examples", "airfield", path);
const folder = mkdtempSync(join(tmpdir(), "ikg-client-docs-"));
let project: TestProject;

/** Imports of the program are found as they are from a package. */
const link = (name: string, from: string): void => {
  const target = join(folder, "node_modules", name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(from, target);
};

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({
    baseUrl,
    token,
    name: "docs",
    graph: [airfield("nodes.json"), airfield("relationships.json")],
    policies: airfield("policies"),
    queries: { "rated-pilots": { policy: "may-read-ratings", query: airfield("queries/rated-pilots.json") } },
  });
  const client = join(root, "libs", "client");
  link("@ikg/client", client);
  link("express", dirname(createRequire(join(client, "package.json")).resolve("express")));
  writeFileSync(join(folder, "page.ts"), code);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await project?.remove();
});

describe("docs/client.md", () => {
  it("prints what its comments say", async () => {
    const { base_url, service_account_token } = environment();
    const program = spawn(process.execPath, [join(folder, "page.ts")], {
      cwd: root,
      env: {
        ...process.env,
        BASE: base_url,
        KEY: project.clientKey,
        TOKEN: service_account_token,
        PROJECT: project.id,
        IKG_URL: base_url,
        IKG_TOKEN: service_account_token,
      },
    });
    let output = "";
    let errors = "";
    program.stdout.on("data", (text: Buffer) => (output += text.toString()));
    program.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    const [status] = (await once(program, "close")) as [number];
    expect([errors, status]).toEqual(["", 0]);
    expect(output.trim()).toBe(printed);
  });
});
