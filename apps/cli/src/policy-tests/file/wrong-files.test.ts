import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { formatDiagnostic } from "@ikg/sources";
import { runIkg } from "../../../test/command-environment.ts";
import { readWorld } from "./read-world.ts";

const folder = fileURLToPath(new URL("wrong", import.meta.url));
const files = globSync("*.ikg.*", { cwd: folder }).sort();

const expected = (file: string): readonly string[] =>
  readFileSync(`${folder}/${file.replace(/\.ikg\..*/, ".faults")}`, "utf8")
    .trimEnd()
    .split("\n");

describe("a file with faults", () => {
  it("is there for every part of the format", () => expect(files.length).toBeGreaterThan(7));

  it.each(files)("has each of them on one line with its place: %s", async (file) => {
    const { world, faults } = await readWorld(`${folder}/${file}`, folder);
    expect(faults.map(formatDiagnostic)).toEqual(expected(file));
    expect(world).toBeUndefined();
  });

  it("ends the command with 2 and needs no suite", async () => {
    const { code, output, errors } = await runIkg(["test", "."], { cwd: folder });
    expect(code).toBe(2);
    const lines = (output + errors).split("\n");
    for (const fault of files.flatMap(expected)) expect(lines).toContain(fault);
  });
});
