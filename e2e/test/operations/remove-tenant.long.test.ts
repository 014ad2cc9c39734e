import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { askDatabase } from "../../../stack/src/data-set/database.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  documentedCommands,
  documentedStatement,
} from "../../../stack/src/testing/suites/documented-commands.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type AirfieldShell, openAirfieldShell, type ShellRun } from "../../src/fixtures/airfield-shell.ts";

/** The commands and statements of docs/operations.md, "Remove a tenant, with proof". */
let shell: AirfieldShell;
beforeAll(async () => {
  shell = await openAirfieldShell();
}, 120_000);
// The project is gone.
afterAll(() => shell?.remove().catch(() => undefined));

const neo4j = neo4jOfTests();

/** Longer than the second look of a removal. */
const removedWithinMs = 90_000;

const run = async (name: string): Promise<ShellRun> => {
  const done = await shell.run(documentedCommands(name));
  expect({ name, ...done }).toMatchObject({ code: 0, errors: "" });
  return done;
};

it("nothing of a removed project remains but its signed records, and they say who removed it", async () => {
  const { id: project } = shell.project;
  // A version, a change and records of audit of its own; the bearer of a person leaves a node of its token.
  const changed = await shell.run(
    'ikg may Pilot/amelia FLY Aircraft/N211 -p min_hours=100 && ikg history >history.txt && ikg revert "$(ikg history --limit 1 -o json | jq -r ".[0].id")" --yes',
  );
  expect(changed.code).toBe(0);
  const [{ key } = {}] = await askDatabase(neo4j, documentedStatement("the key of a project"), { project });
  expect(key).toMatch(/^\w{8}$/);
  const remaining = async (): Promise<readonly string[]> => {
    const rows = await askDatabase(neo4j, documentedStatement("what remains of a project"), { project, key });
    return rows.map(({ label }) => String(label));
  };
  const before = await remaining();
  expect(before).toEqual(expect.arrayContaining(["_Node", "_Record"]));

  await run("remove a tenant");
  const refused = await shell.run("ikg may Pilot/amelia FLY Aircraft/N211 -p min_hours=100");
  expect([refused.code, refused.output]).toEqual([2, ""]);
  const left = await eventually(remaining, (labels) => labels.every((label) => label.startsWith("_Audit")), {
    withinMs: removedWithinMs,
    everyMs: 1_000,
  });
  process.stdout.write(`before: ${before.join(", ")}\nafter: ${left.join(", ")}\n`);
  expect(left).toContain("_AuditBatch");

  const record = await eventually(
    async () => {
      await shell.run("rm -rf removed");
      const { output } = await run("proof of a removal");
      return output.split(/^(?=\{)/m)[1] ?? "";
    },
    (text) => text !== "",
    { withinMs: 30_000, everyMs: 500 },
  );
  expect(JSON.parse(record)).toMatchObject({ actor: { type: "service_account" }, id: project });
}, 240_000);
