import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Platform, preparePlatforms } from "../../../stack/src/testing/platforms.ts";
import { type PackedCli, packCli } from "../test/packed-cli.ts";

/** The packed package by `npx` in an empty folder, on each Node that it is for. */
let nodes: readonly Platform[];
let packed: PackedCli;

beforeAll(async () => {
  const platforms = await preparePlatforms();
  const self = { name: `Node ${process.versions.node}`, program: process.execPath, args: [] };
  nodes = [...platforms.filter(({ name }) => name.startsWith("Node ")), self];
  packed = await packCli();
}, 300_000);
afterAll(() => packed?.remove());

const npx = ({ program }: Platform, args: readonly string[]) => {
  const cwd = mkdtempSync(join(packed.folder, "empty-"));
  const home = join(cwd, ".home");
  mkdirSync(home);
  const { status, stdout, stderr } = spawnSync(
    "npx",
    ["--yes", "--offline", "--package", packed.tarball, "--", "ikg", ...args],
    {
      cwd,
      encoding: "utf8",
      // npx and the program are run by the first Node of the path.
      env: {
        PATH: [dirname(program), process.env["PATH"]].join(delimiter),
        HOME: home,
        npm_config_update_notifier: "false",
      },
    },
  );
  return { status, stdout, stderr };
};

describe("npx in an empty folder", () => {
  it("runs ikg on Node 20, 22 and 24", () => {
    expect(nodes.map(({ name }) => name.split(".")[0])).toEqual(["Node 20", "Node 22", "Node 24"]);
    for (const node of nodes) {
      expect(npx(node, ["version"])).toEqual({
        status: 0,
        stdout: expect.stringMatching(new RegExp(`^ikg \\d+\\.\\d+\\.\\d+ \\(${node.name}`)),
        stderr: "",
      });
      const { status, stderr } = npx(node, ["may", "Person/ann", "READ", "Document/d1"]);
      expect([node.name, status, stderr]).toEqual([
        node.name,
        2,
        expect.stringMatching(/^error: no deployment: /),
      ]);
      expect(npx(node, ["--help"]).stdout).toContain("Usage: ikg");
    }
  }, 120_000);
});
