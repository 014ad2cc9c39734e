import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { repeatUnavailable } from "../../src/cli/repeat-unavailable.ts";
import { environment } from "../../src/environment.ts";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

let shell: AirfieldShell;
let empty: TestProject;

beforeAll(async () => {
  shell = await openAirfieldShell();
  const { base_url: baseUrl, service_account_token: token } = environment();
  empty = await createTestProject({ baseUrl, token, name: "copy" });
}, 120_000);
afterAll(async () => {
  await empty?.remove();
  await shell?.remove();
});

const path = (file: string): string => join(shell.folder, "files", file);
const read = (file: string): string => readFileSync(path(file), "utf8");
const edit = (file: string, from: string | RegExp, to: string): void => {
  const before = read(file);
  expect(before).toMatch(from);
  writeFileSync(path(file), before.replace(from, to));
};
const ikg = (args: string, project = shell.project.id) => shell.run(`ikg ${args}`, { IKG_PROJECT: project });

/** Everything that a change could change. */
const state = async (): Promise<string> =>
  (await ikg("pull state >/dev/null && cat state/*.yaml state/*/*.yaml")).output;

describe("a project as files", () => {
  it("is the project: a plan after a pull is empty", async () => {
    expect((await ikg("pull files")).code).toBe(0);
    expect(readdirSync(path("policies")).toSorted()).toContain("may-fly.yaml");
    expect(read("policies/may-fly.yaml")).toMatch(/cypher: \|-?\n {6}MATCH \(subject\)/);
    expect(await ikg("plan files --prune --exit-code")).toEqual({
      code: 0,
      output: "Nothing to change.\n",
      errors: "",
    });
    expect((await ikg("pull files")).output).toBe("Nothing to change.\n");
  });

  it("is changed by what a plan shows, with those who lose and gain access", async () => {
    edit("policies/may-fly.yaml", " AND subject.property.hours >= $min_hours", "");
    edit("project.yaml", "applications:\n", "applications:\n  tower:\n    description: the tower\n");
    const planned = await ikg("plan files -p min_hours=100 --exit-code");
    expect(planned.code).toBe(1);
    expect(planned.output).toContain("1 to create, 1 to change, 0 to delete.");
    expect(planned.output).toMatch(/^\+ {6}MATCH .*resource\.property\.airworthy$/m);
    expect(planned.output).toMatch(/^Pilot +FLY +Aircraft +1 +0$/m);
    expect(planned.output).toContain("+ Pilot/louis FLY Aircraft/N211 (may-fly)");
    const before = await state();
    expect((await ikg("apply files -p min_hours=100 --fail-on gained --yes")).code).toBe(1);
    const refusal = await ikg("apply files");
    expect(refusal.errors).toContain("\n1 to create, 1 to change, 0 to delete.\n");
    expect(refusal.errors).toMatch(/^error: not applied: no terminal for the confirmation; add --yes\n$/m);
    expect(await state()).toBe(before);
    const applied = await ikg("apply files -p min_hours=100 --yes --message 'no hours'");
    expect([applied.code, applied.output.trimEnd().split("\n").slice(-3)]).toEqual([
      0,
      [
        "1 created, 1 changed, 0 deleted.",
        "may-fly 1→2.",
        expect.stringMatching(/^Change gid:\S+ takes effect within two seconds\.$/),
      ],
    ]);
    expect(applied.output).toContain("+ Pilot/louis FLY Aircraft/N211 (may-fly)");
    expect((await ikg("plan files --exit-code")).code).toBe(0);
    expect((await ikg("history --limit 1")).output).toContain("no hours");
    expect((await ikg("may Pilot/louis FLY Aircraft/N211")).output).toBe("granted\n");
  });

  it("is not overwritten where a second editor changed it after the plan", async () => {
    const { admin } = shell.project;
    edit("policies/may-fly.yaml", "- FLY", "- FLY\n    - LAND");
    edit("project.yaml", "description: the tower", "description: the high tower");
    expect((await ikg("plan files --no-access")).code).toBe(0);
    await admin.policies.update("may-fly", (record) => ({ ...record, tags: ["of the second editor"] }));
    await admin.applications.update("tower", (record) => ({ ...record, description: "second editor" }));
    const before = await state();
    const refused = await ikg("apply files --no-access --yes");
    expect([refused.code, refused.output, refused.errors.replace(/(?<=by )\S+/g, "AUTHOR")]).toEqual([
      2,
      "",
      [
        "error: authorization-policies/may-fly was changed by AUTHOR since ikg plan (version 3 found, version 2 expected): review it with ikg plan, then apply again",
        "applications/tower was changed by AUTHOR since ikg plan (version 2 found, version 1 expected): review it with ikg plan, then apply again",
        "",
      ].join("\n"),
    ]);
    expect(await state()).toBe(before);
    const planned = await ikg("plan files --no-access");
    expect(planned.output).toMatch(/^- {2}- of the second editor$/m);
    expect((await ikg("apply files --no-access --yes")).code).toBe(0);
    edit("policies/may-fly.yaml", "- FLY\n    - LAND", "- FLY");
    edit("project.yaml", "description: the high tower", "description: the tower");
    expect((await ikg("apply files --no-access --yes")).code).toBe(0);
  });

  it("makes an empty project the same one", async () => {
    const applied = await repeatUnavailable(() => ikg("apply files --yes", empty.id));
    expect([applied.code, applied.errors]).toEqual([0, ""]);
    expect((await ikg("plan files --exit-code", empty.id)).code).toBe(0);
    await ikg("pull copy", empty.id);
    const compared = await shell.run("diff -r files copy");
    // What it had before: an application of its own, and its name.
    expect(compared.output.split("\n").filter((line) => line.startsWith("diff"))).toEqual([
      "diff -r files/project.yaml copy/project.yaml",
    ]);
  });

  it("takes back the records of project.yaml when the change set is refused", async () => {
    const before = await state();
    edit("policies/may-sign.yaml", "MATCH (subject", "MATHC (subject");
    edit("project.yaml", "applications:\n", "applications:\n  hangar: {}\n");
    edit("project.yaml", "description: the tower", "description: another tower");
    const { code, errors } = await ikg("apply files --no-access --yes");
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^error: files\/policies\/may-sign\.yaml:\d+:\d+: policy\.condition\.cypher: unexpected "MATHC"/,
    );
    expect(await state()).toBe(before);
    await ikg("pull files");
  });

  it("has warnings and refusals of the suite at their places", async () => {
    edit("policies/may-fly.yaml", "(:Model)", "(:Modle)");
    const planned = await ikg("plan files -p min_hours=100");
    const warning =
      /^warning: files\/policies\/may-fly\.yaml:12:39: the graph holds no node of type "Modle"; did you mean "Model"\? \(unknown-label\)\n$/;
    expect([planned.code, planned.errors]).toEqual([0, expect.stringMatching(warning)]);
    edit("queries/my-ratings.yaml", "subject.property.hours", "subject.property.hous");
    const refused = await ikg("plan files --no-access");
    expect([refused.code, refused.output]).toEqual([2, ""]);
    expect(refused.errors).toMatch(
      /^error: files\/queries\/my-ratings\.yaml:\d+:\d+: query\.nodes\[1\]: .*hous.*\n\d+ \|/,
    );
    edit("queries/my-ratings.yaml", "subject.property.hous", "subject.property.hours");
    const applied = await ikg("apply files -p min_hours=100 --yes -o json");
    expect([applied.code, applied.errors]).toEqual([0, expect.stringMatching(warning)]);
    const { applied: change } = JSON.parse(applied.output) as { applied: { id: string } };
    expect((await ikg(`revert ${change.id} --yes`)).code).toBe(0);
    await ikg("pull files");
  });

  it("says where a file is wrong", async () => {
    writeFileSync(path("policies/broken.yaml"), "policy: [");
    writeFileSync(path("policies/no-policy.yaml"), "status: ACTIVE\n");
    edit("project.yaml", "applications:", "aplications:");
    for (const command of ["plan", "simulate"]) {
      const { code, output, errors } = await ikg(`${command} files`);
      expect([code, output]).toEqual([2, ""]);
      expect(errors).toMatch(
        /^error: files\/policies\/broken\.yaml:1:10: .*\n1 \| policy: \[\n {2}\| {10}\^\nfiles\/policies\/no-policy\.yaml:1:1: policy: required\n1 \| status: ACTIVE\n {2}\| \^\n/,
      );
      expect(/^files\/project\.yaml:\d+:1: aplications: one of projects, /m.test(errors)).toBe(
        command === "plan",
      );
    }
    rmSync(path("policies/broken.yaml"));
    rmSync(path("policies/no-policy.yaml"));
    edit("project.yaml", "aplications:", "applications:");
    expect((await ikg("plan nowhere")).errors).toBe("error: nowhere does not exist\n");
  });

  it("keeps what has no file, unless it is pruned", async () => {
    rmSync(path("queries/my-ratings.yaml"));
    edit("project.yaml", "  tower:\n    description: the tower\n", "");
    expect((await ikg("plan files --exit-code")).code).toBe(0);
    const { output } = await ikg("apply files --prune --yes");
    expect(output).toMatch(/^0 created, 0 changed, 2 deleted\.\nmy-ratings deleted\./m);
    expect((await ikg("plan files --prune --exit-code")).code).toBe(0);
    expect((await ikg("get applications")).output).not.toContain("tower");
  });

  it("stays applied where a record without a file cannot be deleted, and names that record", async () => {
    const { admin } = shell.project;
    const [introspect] = await admin.introspects.list();
    await admin.mcpServers.create({
      name: "tools",
      app_agent_id: (await admin.agents.get("dispatch-agent")).id,
      token_introspect_id: introspect?.id ?? "",
      enabled: true,
      scopes_supported: ["tools"],
    });
    await admin.trustScoreProfiles.create({
      name: "pilots",
      node_classification: "Pilot",
      schedule: "DAILY",
      dimensions: [{ name: "FRESHNESS", weight: 1 }],
    });
    await ikg("pull files");
    edit("project.yaml", /^token-introspects:\n(?: {2}.*\n)+/m, "");
    edit("project.yaml", /^trust-score-profiles:\n(?: {2}.*\n)+/m, "");
    edit("project.yaml", "applications:\n", "applications:\n  tower: {}\n");
    edit("policies/may-fly.yaml", "- FLY", "- FLY\n    - LAND");
    const failed = await ikg("apply files --prune --no-access --yes");
    expect([failed.code, failed.output]).toEqual([2, ""]);
    expect(failed.errors).toMatch(
      /^error: everything else was applied \(change gid:\S+\), but 1 of 2 records without a file could not be deleted, 1 were:\n {2}token-introspects \S+: .*used by mcp server tools.*\n.*run ikg apply --prune again/,
    );
    expect((await ikg("plan files --exit-code")).code).toBe(0);
    expect((await ikg("get applications")).output).toContain("tower");
    edit("project.yaml", /^mcp-servers:\n(?: {2}.*\n)+/m, "");
    const again = await ikg("apply files --prune --yes");
    expect([again.code, again.output]).toEqual([
      0,
      expect.stringMatching(/\n\n0 created, 0 changed, 2 deleted\.\n$/),
    ]);
    expect((await ikg("plan files --prune --exit-code")).code).toBe(0);
  });

  it("takes secrets from the environment", async () => {
    await shell.project.admin.resolvers.create({
      name: "weather",
      url: "https://weather.example/now",
      method: "GET",
      request_content_type: "JSON",
      response_content_type: "JSON",
      response_selector: "$.temperature",
      headers: { "X-Key": ["sesame"] },
    });
    await ikg("pull files");
    const variable = "EXTERNAL_DATA_RESOLVERS_WEATHER_HEADERS";
    expect(read("project.yaml")).toContain(`headers: \${${variable}}`);
    expect(read("project.yaml")).not.toContain("sesame");
    expect((await ikg("plan files --exit-code")).code).toBe(0);
    const refused = await ikg("apply files --yes", empty.id);
    expect([refused.code, refused.errors]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(`^error: environment variables required for secrets: ${variable}$`, "m"),
      ),
    ]);
    const { code, errors } = await shell.run("ikg apply files --no-access --yes", {
      IKG_PROJECT: empty.id,
      [variable]: JSON.stringify({ "X-Key": ["other"] }),
    });
    expect([code, errors]).toEqual([0, ""]);
    const copy = await empty.admin.resolvers.get("weather");
    expect(copy.headers).toEqual({ "X-Key": ["other"] });
  });
});
