import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { build as bundle } from "esbuild";
import { publint } from "publint";
import { build } from "../build.ts";

/** The package as users get it: built, packed, and installed in an empty project. */
const require = createRequire(import.meta.url);
const typescript = dirname(require.resolve("typescript/package.json"));
const nodeTypes = dirname(require.resolve("@types/node/package.json"));

const folder = mkdtempSync(join(tmpdir(), "ikg-client-"));
const built = join(folder, "built");
const project = join(folder, "project");
let tarball = "";

const run = (program: string, args: readonly string[], cwd = folder): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Of a program that fails: what it has printed. */
const outputOf = (work: () => string): string => {
  try {
    return work();
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }; // of execFileSync
    return stdout + stderr;
  }
};

beforeAll(() => {
  build(built);
  const [packed = ""] = run("npm", ["pack", built, "--silent"]).trim().split("\n").slice(-1);
  tarball = join(folder, packed);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", tarball], project);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Node of this run, and those of the machine that the package is for. */
const nodes = (): readonly string[] => {
  const candidates = (process.env["PATH"] ?? "").split(delimiter).map((path) => join(path, "node"));
  const found = [process.execPath, ...candidates].flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
  const versionOf = (node: string): number =>
    Number(run(node, ["-p", "process.versions.node.split('.')[0]"]));
  return [...new Set(found)].filter((node) => versionOf(node) >= 20);
};

describe("the packed package", () => {
  it("has no faults that publint knows", async () => {
    const { messages } = await publint({ pkgDir: built, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it("has types that every way to resolve an ES module finds", () => {
    const cli = require.resolve("@arethetypeswrong/cli/package.json");
    const program = join(dirname(cli), "dist", "index.js");
    const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji"];
    // It ends with a failure where it finds a problem.
    const output = run(process.execPath, [program, tarball, ...options]);
    expect(output.match(/node16 \(from ESM\): OK \(ESM\)/g)).toHaveLength(3);
  });

  it("has at most 15 kB when it is minified and compressed, for a browser", async () => {
    const { outputFiles } = await bundle({
      entryPoints: [join(built, "index.js")],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    const size = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
    expect(size).toBeGreaterThan(5_000);
    expect(size).toBeLessThanOrEqual(15_000);
  });

  it("has no dependencies, and no sources", () => {
    const files = globSync("**/*", { cwd: join(project, "node_modules"), withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(globSync("node_modules/*/*", { cwd: project })).toEqual(["node_modules/@ikg/client"]);
    expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "index.js", "index.d.ts"]));
    const manifest = readFileSync(join(project, "node_modules/@ikg/client/package.json"), "utf8");
    expect(Object.keys(JSON.parse(manifest) as object)).not.toContain("dependencies");
  });

  it("imports its own files alone, so that browsers load it without a bundler", () => {
    const programs = globSync("**/*.js", { cwd: built, exclude: ["testing/**"] });
    const imported = programs.flatMap((name) =>
      [...readFileSync(join(built, name), "utf8").matchAll(/(?:from |import\(|import )"([^"]+)"/g)].map(
        ([, path = ""]) => path,
      ),
    );
    expect(imported.length).toBeGreaterThan(50);
    expect(imported.filter((path) => !/^\.{1,2}\/.*\.js$/.test(path))).toEqual([]);
  });

  it("runs on every Node of this machine from 20 on", () => {
    const program = `
      import { createServer } from "node:http";
      import { Ikg, IkgAdmin, IkgError } from "@ikg/client";
      import { authorize } from "@ikg/client/express";
      import { createTestProject } from "@ikg/client/testing";
      const server = createServer((request, response) => {
        const found = request.url === "/access/v1/evaluation";
        response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
        response.end(found ? '{"decision":true}' : '{"message":"Not Found"}');
      }).listen(0, async () => {
        const baseUrl = "http://127.0.0.1:" + server.address().port;
        const ann = new Ikg({ baseUrl, clientKey: "k" }).as({ type: "Person", id: "ann" });
        const error = await new IkgAdmin({ baseUrl, token: "t" }).organization().catch((error) => error);
        const granted = await ann.can("READ", { type: "Document", id: "d" });
        console.log(granted, error instanceof IkgError, error.code, typeof authorize, typeof createTestProject);
        server.close();
        server.closeAllConnections();
      });
    `;
    const file = join(project, "app.mjs");
    writeFileSync(file, program);
    const outputs = nodes().map((node) => run(node, [file], project).trim());
    expect(outputs.length).toBeGreaterThan(0);
    expect(new Set(outputs)).toEqual(new Set(["true true not_found function function"]));
  });

  const settings = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: "es2022",
  };
  const environments: readonly (readonly [string, object, string])[] = [
    [
      "of Node",
      { module: "nodenext", lib: ["es2022"], typeRoots: [dirname(nodeTypes)], types: ["node"] },
      "node",
    ],
    [
      "of a browser",
      { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] },
      "browser",
    ],
  ];
  for (const [title, options, name] of environments)
    it(`has types that stand by themselves in a program ${title}`, () => {
      const testing = `export { createTestProject } from "@ikg/client/testing";\n`;
      const source = `
        import { Ikg, IkgAdmin } from "@ikg/client";
        import { authorize } from "@ikg/client/express";
        ${name === "node" ? testing : ""}
        const ikg = new Ikg({ baseUrl: "http://127.0.0.1", clientKey: "k" });
        export const granted: Promise<boolean> = ikg.as({ type: "Person", id: "ann" }).can("READ", { type: "D", id: "d" });
        export const guard = authorize("READ", ({ params }) => ({ type: "Document", id: params["id"] }), {
          subject: () => ikg.as({ type: "Person", id: "ann" }),
        });
        export const update = new IkgAdmin({ baseUrl: "http://127.0.0.1", token: "t" }).policies.update("p", (policy) => ({
          ...policy,
          status: "INACTIVE",
        }));
      `;
      writeFileSync(join(project, `${name}.mts`), source);
      const config = { compilerOptions: { ...settings, ...options }, files: [`${name}.mts`] };
      writeFileSync(join(project, `tsconfig.${name}.json`), JSON.stringify(config));
      const args = [join(typescript, "bin", "tsc"), "-p", `tsconfig.${name}.json`];
      expect(outputOf(() => run(process.execPath, args, project))).toBe("");
    });
});
