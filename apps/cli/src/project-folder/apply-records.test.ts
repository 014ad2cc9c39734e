import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ScriptedSuite } from "../../test/scripted-suite.ts";

let cwd: string;
let suite: ScriptedSuite;
/** The project record as the suite exports it. */
let project: Readonly<Record<string, unknown>>;
let updates: Readonly<Record<string, unknown>>[];
beforeEach(async () => {
  suite = await ScriptedSuite.start();
  cwd = mkdtempSync(join(tmpdir(), "ikg-records-"));
  mkdirSync(join(cwd, "files"));
  project = { region: "eu-west", limits: { sessions: 5 } };
  updates = [];
  suite.answers = {
    "GET /configs/v1/export": () => [
      200,
      {
        project_id: "gid:p",
        export_time: "2026-01-01T00:00:00Z",
        changes: [],
        versions: [{ collection: "projects", name: "shop", version: 1, etag: '"p-1"' }],
        records: [{ collection: "projects", name: "shop", record: project }],
        secrets: [],
      },
    ],
    "GET /configs/v1/projects/shop": () => [200, { id: "gid:p", name: "shop" }],
    "PUT /configs/v1/projects/gid:p": ({ body }) => {
      updates.push(body);
      project = { ...project, ...body };
      return [200, { id: "gid:p", name: "shop" }];
    },
  };
});
afterEach(() => {
  suite.close();
  rmSync(cwd, { recursive: true, force: true });
});

const write = (fields: string): void =>
  writeFileSync(join(cwd, "files/project.yaml"), `projects:\n  shop:\n    region: eu-west\n${fields}`);
const apply = () => suite.run(["apply", "files", "--yes", "--no-access"], { cwd });
const plan = () => suite.run(["plan", "files", "--no-access"], { cwd });

describe("a record of project.yaml", () => {
  it.each([
    ["that the file omits", ""],
    ["that are empty in the file", "    limits: {}\n"],
  ])("loses limits %s; then there is no difference", async (_what, fields) => {
    write(fields);
    expect(await apply()).toMatchObject({ code: 0, errors: "" });
    expect(updates).toEqual([{ limits: {} }]);
    expect(await plan()).toEqual({ code: 0, output: "Nothing to change.\n", errors: "" });
  });

  it("is no difference where it states a default, also of a field that an update ignores", async () => {
    project = { region: "eu-west" };
    write("    ikg_size: 2GB\n");
    expect(await plan()).toEqual({ code: 0, output: "Nothing to change.\n", errors: "" });
    write("    ikg_size: 4GB\n");
    expect(await apply()).toMatchObject({ code: 2, errors: expect.stringContaining("cannot be changed") });
  });

  it("cannot change a field that an update ignores", async () => {
    project = { region: "eu-west", purpose: "TEST" };
    write("");
    expect(await apply()).toMatchObject({
      code: 2,
      errors: expect.stringContaining("projects shop: these fields cannot be changed"),
    });
    expect(updates).toEqual([]);
  });
});
