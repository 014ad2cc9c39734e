import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runIkg, silentEnvironment } from "../../test/command-environment.ts";
import { readChanges } from "../changes/read-changes.ts";
import { readFolder } from "./read-folder.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "ikg-folder-"));
  for (const folder of ["files/policies", "files/queries"]) mkdirSync(join(cwd, folder), { recursive: true });
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const write = (file: string, text: string): void => writeFileSync(join(cwd, "files", file), text);
const policy = { meta: { policy_version: "2.0-kbac" }, subject: { type: "Pilot" } };
const administration = {
  IKG_URL: "http://127.0.0.1:9",
  IKG_TOKEN: "t",
  IKG_PROJECT: "gid:p",
};

describe("the files of a folder", () => {
  it("are read alike for a plan and for a simulation", async () => {
    write("policies/alone.json", JSON.stringify(policy));
    write("policies/b.yaml", "name: named\nstatus: DRAFT\npolicy: no policy yet\n");
    const environment = silentEnvironment({ cwd });
    const policies = [
      ["alone", { policy, status: "ACTIVE" }],
      ["named", { policy: "no policy yet", status: "DRAFT" }],
    ] as const;
    const { texts } = await readFolder("files", environment);
    expect([...texts["authorization-policies"]]).toEqual(policies);
    for (const folder of ["files", "files/policies"])
      expect((await readChanges(folder, environment)).changes).toEqual(
        policies.map(([name, record]) => ({ op: "put", collection: "authorization-policies", name, record })),
      );
  });

  it("have each fault at its place, with its line and a caret", async () => {
    write("policies/a.yaml", "policy:\n  meta: [");
    write("policies/b.yaml", "status: ACTIVE\n");
    write("policies/c.yaml", "- 1\n");
    write("queries/d.json", '{"query": {}, "policy": "p"}');
    write("queries/e.yaml", "policy: p\nname: d\nquery: {}\n");
    write("project.yaml", "aplications: {}\napplications:\n  tower: 7\nmcp-servers: []\n");
    const { code, output, errors } = await runIkg(["plan", "files"], { cwd, variables: administration });
    expect([code, output]).toEqual([2, ""]);
    expect(errors.split("\n").filter((line) => !/^(\d+ | +)\| /.test(line))).toEqual([
      expect.stringMatching(/^error: files\/policies\/a\.yaml:2:10: /),
      "files/policies/b.yaml:1:1: policy: required",
      "files/policies/c.yaml:1:1: an object with the fields of a record expected",
      expect.stringMatching(
        /^files\/project\.yaml:1:1: aplications: one of projects, applications, .* expected$/,
      ),
      "files/project.yaml:3:10: applications.tower: an object expected",
      "files/project.yaml:4:14: mcp-servers: records by their names expected",
      "files/queries/e.yaml:2:7: duplicate: d is also defined in another file",
      "",
    ]);
    expect(errors).toContain("\n3 |   tower: 7\n  |          ^\n");
  });

  it("of a simulation have the same faults", async () => {
    write("policies/a.yaml", "policy:\n  meta: [");
    for (const path of ["files", "files/policies", "files/policies/a.yaml"]) {
      const { code, errors } = await runIkg(["simulate", path], { cwd, variables: administration });
      expect([code, errors]).toEqual([
        2,
        expect.stringMatching(
          /^error: files\/policies\/a\.yaml:2:10: .*\n2 \| {3}meta: \[\n {2}\| {10}\^\n$/,
        ),
      ]);
    }
    const given = { cwd, variables: administration, readInput: () => Promise.resolve("policy: [") };
    const { errors } = await runIkg(["simulate", "-"], given);
    expect(errors).toMatch(/^error: standard input:1:10: .*\n$/);
  });
});
