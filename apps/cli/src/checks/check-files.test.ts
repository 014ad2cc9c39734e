import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runIkg } from "../../test/command-environment.ts";

const template = fileURLToPath(new URL("../../../../examples/policy-repo", import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "ikg-check-"));
  cpSync(template, cwd, { recursive: true });
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(join(cwd, file), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(cwd, file), text.replace(from, to));
};

describe("ikg check", () => {
  it("reports nothing for a folder without errors", async () => {
    expect(await runIkg(["check", "."], { cwd })).toEqual({
      code: 0,
      output: "4 files, 0 errors\n",
      errors: "",
    });
  });

  it("shows each fault at its place, also in tests", async () => {
    edit("policies/may-fly.yaml", "MATCH (subject)", "MATHC (subject)");
    edit("queries/rated-pilots.yaml", "pilot.property.hours", "pilot.property.hous");
    edit("tests/airfield.ikg.yaml", "Pilot amelia may FLY", "Pilot amelia maybe FLY");
    const { code, output, errors } = await runIkg(["check", "."], { cwd });
    expect([code, errors]).toEqual([1, ""]);
    expect(output).toContain(
      [
        'policies/may-fly.yaml:12:7: policy.condition.cypher: unexpected "MATHC" (line 1, column 1)',
        "12 |       MATHC (subject)-[:RATED_FOR]->(:Model)<-[:IS]-(resource)",
        "   |       ^",
      ].join("\n"),
    );
    expect(output).toContain("queries/rated-pilots.yaml:5:7: query.nodes[1]: pilot.property.hous is not in");
    expect(output).toMatch(/^tests\/airfield\.ikg\.yaml:\d+:\d+: the subject expected/m);
    expect(output).toMatch(/^4 files, 3 errors$/m);
  });

  it("warns at its place of what is accepted and may be a mistake, and does not fail", async () => {
    edit("policies/may-fly.yaml", "MATCH (subject)-[:RATED_FOR]->", "MATCH (subject)-[:RATED_FOR*]->");
    const { code, output } = await runIkg(["check", "."], { cwd });
    expect(code).toBe(0);
    expect(output).toMatch(
      /^warning: policies\/may-fly\.yaml:12:22: .* \(unbounded-path-capped\)\n12 \| +MATCH.*\n {3}\| +\^\n4 files, 0 errors, 1 warning\n$/,
    );
    const annotated = await runIkg(["check", "policies", "--github"], { cwd });
    expect(annotated.output).toMatch(
      /^::warning file=policies\/may-fly\.yaml,line=12,col=22,title=ikg check::/,
    );
    expect((await runIkg(["check", ".", "-o", "json"], { cwd })).output).toContain('"warnings": [\n    {');
  });

  it("annotates pull requests", async () => {
    edit("policies/may-fly.yaml", "MATCH (subject)", "MATHC (subject)");
    const { output } = await runIkg(["check", "policies", "--github"], { cwd });
    expect(output).toMatch(/^::error file=policies\/may-fly\.yaml,line=12,col=7,title=ikg check::policy\./);
  });

  it("formats files as they are pulled, and changes nothing that they say", async () => {
    const file = "policies/may-fly.yaml";
    const before = readFileSync(join(cwd, file), "utf8");
    writeFileSync(
      join(cwd, file),
      before.replace("    policy_version: 2.0-kbac", "      policy_version: '2.0-kbac'"),
    );
    expect((await runIkg(["check", ".", "--fix"], { cwd })).errors).toBe(`${file}: formatted\n`);
    expect(readFileSync(join(cwd, file), "utf8")).toBe(before);
    expect((await runIkg(["check", ".", "--fix"], { cwd })).errors).toBe("");
  });

  it.each([
    ["before", "# why\nstatus: ACTIVE"],
    ["at the end of a line", "status: ACTIVE # why"],
    ["at the end", "status: ACTIVE\n# why"],
  ])("leaves a file with a comment as it is: %s", async (_where, text) => {
    const file = "policies/may-fly.yaml";
    edit(file, "status: ACTIVE", text);
    const before = readFileSync(join(cwd, file), "utf8");
    const { code, errors } = await runIkg(["check", ".", "--fix"], { cwd });
    expect([code, errors]).toEqual([0, `${file}: not formatted: its comments would be lost\n`]);
    expect(readFileSync(join(cwd, file), "utf8")).toBe(before);
  });

  it("reads a text as ikg pull writes it where an object would change it", async () => {
    const ends = '"subject":{"type":"Pilot"},"resource":{"type":"Aircraft"}';
    const condition = '"condition":{"cypher":"MATCH (subject)-[:OWNS]->(resource)"}';
    const check = (actions: string) => {
      const text = `{"meta":{"policy_version":"2.0-kbac"},${ends},${actions},${condition}}`;
      writeFileSync(join(cwd, "policies/may-sell.yaml"), `policy: ${JSON.stringify(text)}\n`);
      return runIkg(["check", "policies"], { cwd });
    };
    expect(await check('"actions":["SELL"]')).toEqual({ code: 0, output: "3 files, 0 errors\n", errors: "" });
    const { code, output } = await check('"actions":["SELL"],"actions":["RENT"]');
    expect(code).toBe(1);
    expect(output).toContain("policies/may-sell.yaml:1:9: policy.actions: given more than once");
  });

  it("needs files that are there", async () => {
    expect(await runIkg(["check", "nowhere"], { cwd })).toEqual({
      code: 2,
      output: "",
      errors: "error: nowhere does not exist\n",
    });
  });
});
