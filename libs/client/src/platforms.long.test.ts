import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Platform, preparePlatforms } from "../../../stack/src/testing/platforms.ts";
import {
  type PackedClient,
  packClient,
  runProgram,
  smokeOutput,
  writeSmokeProgram,
} from "../test/packed-client.ts";

/** The packed package on every platform that it is for, besides the browser. */
let platforms: readonly Platform[];
let packed: PackedClient;

beforeAll(async () => {
  platforms = await preparePlatforms();
  packed = packClient();
}, 300_000);
afterAll(() => packed?.remove());

describe("the packed package", () => {
  it("runs on Node 20, 22 and 24, on Bun and on Deno", () => {
    const file = writeSmokeProgram(packed);
    const self = { name: `Node ${process.versions.node}`, program: process.execPath, args: [] };
    const printed = [self, ...platforms].map(({ name, program, args }) => [
      name.split(".")[0],
      runProgram(program, [...args, file], packed.project).trim(),
    ]);
    const names = ["Node 24", "Node 20", "Node 22", "Bun 1", "Deno 2"];
    expect(printed).toEqual(names.map((name) => [name, smokeOutput]));
  }, 120_000);
});
