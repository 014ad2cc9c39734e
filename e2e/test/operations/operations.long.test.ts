import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { documentedCommands } from "../../../stack/src/testing/suites/documented-commands.ts";
import { type AirfieldShell, openAirfieldShell, type ShellRun } from "../../src/fixtures/airfield-shell.ts";

/** Commands of docs/operations.md, as an operator of `npm start` runs them, on a project like that of the README. */
let shell: AirfieldShell;
beforeAll(async () => {
  shell = await openAirfieldShell();
}, 120_000);
afterAll(() => shell?.remove());

/** @param code of the last command. */
const run = async (name: string, code = 0): Promise<ShellRun> => {
  // The suite of the tests has its files where the environment says.
  const commands = documentedCommands(name)
    .replaceAll("'.ikg/environment.json'", "process.env.IKG_ENVIRONMENT")
    .replaceAll(".ikg/logs", '"$(dirname "$IKG_ENVIRONMENT")"/logs')
    .replaceAll("projects acme", `projects ${shell.project.name}`);
  const done = await shell.run(commands, { IKG_ENVIRONMENT: process.env["IKG_ENVIRONMENT"] });
  expect({ name, ...done }).toMatchObject({ code, errors: "" });
  return done;
};

const jsonLines = ({ output }: ShellRun): readonly Record<string, unknown>[] =>
  output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>); // written by jq

describe("the commands of docs/operations.md", () => {
  it("show what a tenant may use, and change it", async () => {
    const { output } = await run("limits of a tenant");
    expect(output).toContain('"requests_per_second"');
    const { effective_limits } = await shell.project.admin.projects.get(shell.project.id);
    expect(effective_limits).toMatchObject({ requests_per_second: 200, database_ms_per_second: 2_000 });
  });

  it("find the lines of all services about a request", async () => {
    const lines = jsonLines(await run("a slow request"));
    expect(lines.map(({ service }) => String(service)).toSorted()).toEqual(["access", "gateway"]);
    for (const line of lines)
      expect(line).toMatchObject({ operation: "evaluate", status: 200, ms: expect.any(Number) });
  });

  it("show what requests waited for", async () => {
    const { output } = await run("what requests wait for");
    for (const name of [
      "ikg_request_duration_seconds_sum",
      "ikg_statement_duration_seconds_count",
      "ikg_pool_waiting",
      "nodejs_eventloop_lag_p99_seconds",
    ])
      expect(output).toContain(name);
  });

  it("show how far an upgrade is", async () => {
    // The version is looked up MIGRATION_DELAY_SECONDS after the start, and again after a migration.
    const migrated = /^ikg_schema_version\{.*\} [1-9]\d*$/m;
    const { output } = await eventually(
      () => run("the state of an upgrade"),
      (done) => migrated.test(done.output),
      { withinMs: 60_000, everyMs: 500 },
    );
    expect(output).toMatch(migrated);
    expect(output).toMatch(/^ikg_migration_databases_behind\{.*\} 0$/m);
  }, 90_000);

  it("say who changed a policy, by its history and by the signed records", async () => {
    // Like diff it ends with 1 where texts differ.
    const { output } = await run("who changed a policy", 1);
    expect(output).toContain("may-fly");
    const [, text = ""] = await eventually(
      async () => {
        await shell.run("rm -rf chain");
        return (await run("proof of a change")).output.split(/^(?=\{)/m);
      },
      (found) => found.length > 1,
      { withinMs: 30_000, everyMs: 500 },
    );
    const [record] = jsonLines({ code: 0, output: text, errors: "" });
    expect(record).toMatchObject({
      type: "audit.config.create",
      actor: { type: "service_account" },
      request: expect.any(String),
    });
  });
});
