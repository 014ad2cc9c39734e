import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { printTo } from "../../../launch/progress.mjs";
import { Interrupted } from "../../command.ts";
import { isLongRun } from "../test-environment.ts";
import { none, one } from "./counts.ts";
import { checkStatements, statementsFolder } from "./statements.ts";

let root: string;
const lines: string[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ikg-statements-"));
  printTo((line) => lines.push(line));
});

afterAll(() => rmSync(root, { recursive: true }));

const record = (...texts: readonly string[]): string => {
  const folder = statementsFolder(mkdtempSync(join(root, "run-")));
  mkdirSync(folder);
  for (const [index, text] of texts.entries())
    writeFileSync(
      join(folder, `${index}.ndjson`),
      `${JSON.stringify({ text, file: "libs/a.test.ts", test: `writes ${index}` })}\n`,
    );
  return join(folder, "..");
};

const check = async (root: string, program?: string, signal = new AbortController().signal) => {
  lines.length = 0;
  const counts = await checkStatements(root, signal, program);
  return { counts, output: lines.join("\n") };
};

const programOf = (text: string): string => {
  const file = join(root, `${process.hrtime.bigint()}.mjs`);
  writeFileSync(file, text);
  return file;
};

describe("statements that tests have recorded", () => {
  it("are no check when there are none", async () => {
    expect(await check(join(root, "nothing"))).toEqual({ counts: none, output: "" });
  });

  it("are one check, however many they are", async () => {
    // The next test has the checker itself, which takes seconds to load.
    const program = isLongRun() ? undefined : programOf("console.log('2 of 2')");
    const found = await check(
      record("MATCH (n:Film__00000000) RETURN n", "MATCH (n:Film__abcd1234) RETURN n", "MATCH (m) RETURN m"),
      program,
    );
    expect(found.counts).toEqual(one(true));
    // After lines that say how far it is, where that takes long.
    expect(found.output).toMatch(/^ +\d+\.\d s {2}2 statements for the vendor's checker$/m);
  });

  it("fail with the text of one that is not clean and the test that had it; those of another project are the same", async () => {
    const found = await check(
      record("MATCH (n:Film__00000000) RETURN n", "MATCH (n:Film__abcd1234) RETURN n", "MATCH (n) RETURN m"),
    );
    expect(found.counts).toEqual(one(false));
    expect(found.output).toMatch(/FAILED after 2 of 2\n/);
    expect(found.output).toMatch(
      /libs\/a\.test\.ts: writes 2\n.*CYPHER 5: .*`m` not defined.*\n.*CYPHER 25: .*\n.*MATCH \(n\) RETURN m$/,
    );
  });

  it.each([
    ["breaks", "console.log('1 of 2'); throw new Error('out of order')", /after 1 of 2\n[^]*out of order/],
    ["ends early", "console.log('1 of 2')", /after 1 of 2$/],
    ["says nothing", "", /FAILED/],
    ["is not there", undefined, /FAILED[^]*Cannot find module/],
  ])("fail when the program %s", async (_how, text, what) => {
    const program = text === undefined ? join(root, "no-program.mjs") : programOf(text);
    const found = await check(record("MATCH (n) RETURN n"), program);
    expect(found.counts).toEqual(one(false));
    expect(found.output).toMatch(what);
  });

  it("are left when the person interrupts", async () => {
    const stopping = new AbortController();
    const endless = programOf("setInterval(() => {}, 1000)");
    const checking = check(record("MATCH (n) RETURN n"), endless, stopping.signal);
    stopping.abort();
    await expect(checking).rejects.toBeInstanceOf(Interrupted);
  });
});
