import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { publint } from "publint";
import { type PackedCli, packCli, runProgram } from "../test/packed-cli.ts";

/** The package as users get it: built, packed, and installed in an empty folder. */
const require = createRequire(import.meta.url);
let packed: PackedCli;
let project: string;
let program: string;

beforeAll(async () => {
  packed = await packCli();
  project = join(packed.folder, "project");
  program = join(project, "node_modules", ".bin", "ikg");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty" }));
  const options = ["--offline", "--no-audit", "--no-fund", "--silent"];
  runProgram("npm", ["install", ...options, packed.tarball], project);
}, 60_000);

afterAll(() => packed?.remove());

const environment = () => ({ HOME: packed.folder, PATH: process.env["PATH"] ?? "" });

const ikg = (args: readonly string[], node = process.execPath) => {
  const { status, stdout, stderr } = spawnSync(node, [program, ...args], {
    cwd: project,
    encoding: "utf8",
    env: environment(),
  });
  return { status, stdout, stderr };
};

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
  return [...new Set(found)].filter(
    (node) => Number(runProgram(node, ["-p", "process.versions.node"], project).split(".")[0]) >= 20,
  );
};

describe("the packed package", () => {
  it("has no faults that publint knows", async () => {
    const { messages } = await publint({ pkgDir: packed.built, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it("is a program, and no library: attw finds nothing that could be imported", () => {
    const attw = join(dirname(require.resolve("@arethetypeswrong/cli/package.json")), "dist", "index.js");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [attw, packed.tarball, "--format", "json"],
      {
        encoding: "utf8",
      },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      analysis: expect.objectContaining({ packageName: "@ikg/cli", types: false }),
    });
  });

  it("has no dependencies and no sources, and the licenses of what it bundles", () => {
    expect(globSync("node_modules/*/*", { cwd: project })).toEqual(["node_modules/@ikg/cli"]);
    const files = globSync("node_modules/@ikg/cli/**", { cwd: project });
    expect(files.filter((name) => name.endsWith(".ts"))).toEqual([]);
    for (const name of ["LICENSE", "README.md", "man/ikg.1", "THIRD_PARTY_LICENSES"])
      expect(files).toContain(`node_modules/@ikg/cli/${name}`);
    const licenses = readFileSync(join(project, "node_modules/@ikg/cli/THIRD_PARTY_LICENSES"), "utf8");
    for (const name of ["commander", "yaml", "diff", "csv-parse", "hyparquet", "fzstd"])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"));
  });

  it("runs on every Node of this machine from 20 on", () => {
    for (const node of nodes()) {
      expect(ikg(["version"], node)).toEqual({
        status: 0,
        stdout: expect.stringMatching(/^ikg \d+\.\d+\.\d+ \(Node \d+/),
        stderr: "",
      });
      const nowhere = ikg(["may", "Person/ann", "READ", "Document/d1"], node);
      expect([nowhere.status, nowhere.stdout, nowhere.stderr]).toEqual([
        2,
        "",
        "error: no deployment: use --url, IKG_URL or ikg context add, or run npm start in this folder\n",
      ]);
    }
  });

  it("reads every form of tables on each of them", () => {
    const columnData = [{ name: "id", data: ["a", "b"], type: "STRING" as const }];
    const parquet = new Uint8Array(parquetWriteBuffer({ columnData }));
    writeFileSync(join(project, "rows.parquet"), parquet);
    writeFileSync(join(project, "rows.parquet.gz"), gzipSync(parquet));
    writeFileSync(join(project, "rows.csv"), "id\na\nb\n");
    writeFileSync(join(project, "rows.ndjson.gz"), gzipSync('{"id":"a"}\n{"id":"b"}\n'));
    writeFileSync(
      join(project, "map.yaml"),
      `files: {"rows.*": {nodes: [{type: Row, external_id: "{id}"}]}}`,
    );
    for (const node of nodes())
      for (const name of ["rows.csv", "rows.parquet", "rows.parquet.gz", "rows.ndjson.gz"]) {
        const args = ["import", name, "--map", "map.yaml", "--dry-run", "-o", "json"];
        const { status, stdout, stderr } = ikg(args, node);
        expect([status, stderr]).toEqual([0, ""]);
        expect(JSON.parse(stdout)).toMatchObject({ rows: 2, nodes: { Row: 2 }, rejected: 0 });
      }
  }, 60_000);

  it("writes YAML", () => {
    const args = ["import", "rows.csv", "--map", "map.yaml", "--dry-run", "-o", "yaml"];
    expect(ikg(args)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^rows: 2\n/), stderr: "" });
  });

  it("has every command in it", () => {
    const names = [...ikg(["--help"]).stdout.matchAll(/^ {2}([a-z]+) {2}/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "help");
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const { status, stdout, stderr } = ikg([name, "--help"]);
      expect([name, status, stderr]).toEqual([name, 0, ""]);
      expect(stdout).toContain(`Usage: ikg ${name}`);
    }
  }, 30_000);

  it("shows its help within 150 ms", () => {
    // The fastest of several counts: on a busy machine most are late.
    const times: number[] = [];
    while (times.length < 40 && !times.some((ms) => ms < 150)) {
      const started = performance.now();
      expect(ikg(["--help"]).status).toBe(0);
      times.push(performance.now() - started);
    }
    expect(Math.min(...times)).toBeLessThan(150);
  }, 30_000);

  it("ends quietly when its output is closed", () => {
    const script = `"${process.execPath}" "${program}" completion fish | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8", env: environment() });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^# Completion of ikg for fish.*\n0\n$/);
  });
});
