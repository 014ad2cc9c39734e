import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin } from "@ikg/client";
import { describeProgram } from "../../../apps/cli/src/program/describe-program.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

/**
 * Every example of every help, in the order of the help, in one folder on one project: later examples find what earlier
 * ones have made. These two come first, because others use what they make.
 */
const first: ReadonlySet<string> = new Set(["context add", "audit export"]);

let shell: AirfieldShell;

const removeHangar = async (): Promise<void> => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  await new IkgAdmin({ baseUrl, token }).projects.delete("hangar").catch(() => undefined);
};

/** A decision that fifty hours would turn, in a signed batch. */
const recordDecision = async (): Promise<void> => {
  const { admin, ikg } = shell.project;
  const louis = ikg.as({ type: "Pilot", id: "louis" });
  const params = { min_hours: 100 };
  expect(await louis.can("FLY", { type: "Aircraft", id: "N211" }, { params })).toBe(false);
  await eventually(
    async () => (await admin.audit.batches().toArray()).flatMap(({ data }) => data.map(({ type }) => type)),
    (types) => types.includes("audit.authorization.evaluation"),
    { withinMs: 60_000, everyMs: 500 },
  );
};

beforeAll(async () => {
  await removeHangar();
  shell = await openAirfieldShell();
  const { admin } = shell.project;
  const { policy } = await admin.policies.get("may-fly");
  writeFileSync(join(shell.folder, "policy.json"), JSON.stringify({ policy: JSON.parse(policy) as object }));
  await admin.policies.update("may-fly", (record) => ({ ...record, tags: ["former"] }));
  await recordDecision();
}, 120_000);

afterAll(async () => {
  await removeHangar();
  await shell?.remove();
});

const { commands } = await describeProgram();
const ordered = [
  ...commands.filter(({ path }) => first.has(path)),
  ...commands.filter(({ path }) => !first.has(path)),
];
const examples = ordered.flatMap(({ path, module }) =>
  module.examples.map(({ command, exits = 0 }) => ({ path, command, exits })),
);

describe("the examples of the help", () => {
  it("need jq, which is there", () => expect(spawnSync("jq", ["--version"]).status).toBe(0));

  it.each(examples)(
    "$command",
    async ({ command, exits }) => {
      const { code, output, errors } = await shell.run(command);
      const lines = errors.split("\n").filter((line) => line !== "" && !line.startsWith("warning: "));
      // What cannot be done says why in one line.
      const expected = exits === 2 ? [expect.stringMatching(/^error: /)] : [];
      expect([code, lines, output.includes("undefined")]).toEqual([exits, expected, false]);
    },
    120_000,
  );
});
