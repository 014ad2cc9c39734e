import { globSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { build as bundle } from "esbuild";
import { publint } from "publint";
import {
  type PackedClient,
  packClient,
  runProgram,
  smokeOutput,
  writeSmokeProgram,
} from "../test/packed-client.ts";

/** The package as users get it. */
const require = createRequire(import.meta.url);
const typescript = dirname(require.resolve("typescript/package.json"));
const nodeTypes = dirname(require.resolve("@types/node/package.json"));

let packed: PackedClient;
let project: string;

const run = (program: string, args: readonly string[], cwd = project): string =>
  runProgram(program, args, cwd);

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
  packed = packClient();
  ({ project } = packed);
});

afterAll(() => packed?.remove());

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
    const { messages } = await publint({ pkgDir: packed.built, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it("has types that every way to resolve an ES module finds", () => {
    const cli = require.resolve("@arethetypeswrong/cli/package.json");
    const program = join(dirname(cli), "dist", "index.js");
    const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji"];
    // It ends with a failure where it finds a problem.
    const output = run(process.execPath, [program, packed.tarball, ...options]);
    expect(output.match(/node16 \(from ESM\): OK \(ESM\)/g)).toHaveLength(3);
  });

  it("has at most 15 kB when it is minified and compressed, for a browser", async () => {
    const { outputFiles } = await bundle({
      entryPoints: [join(packed.built, "index.js")],
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
    const programs = globSync("**/*.js", { cwd: packed.built, exclude: ["testing/**"] });
    const imported = programs.flatMap((name) =>
      [
        ...readFileSync(join(packed.built, name), "utf8").matchAll(/(?:from |import\(|import )"([^"]+)"/g),
      ].map(([, path = ""]) => path),
    );
    expect(imported.length).toBeGreaterThan(50);
    expect(imported.filter((path) => !/^\.{1,2}\/.*\.js$/.test(path))).toEqual([]);
  });

  it("runs on every Node of this machine from 20 on", () => {
    const file = writeSmokeProgram(packed);
    const outputs = nodes().map((node) => run(node, [file], project).trim());
    expect(outputs.length).toBeGreaterThan(0);
    expect(new Set(outputs)).toEqual(new Set([smokeOutput]));
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
