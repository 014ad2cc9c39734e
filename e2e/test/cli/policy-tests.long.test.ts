import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parse as parseJunit } from "junit2json";
import { parse as parseYaml } from "yaml";
import { runPolicyTests } from "../../src/cli/policy-tests.ts";
import { graph, mayFly, mayLend, openTestFolder, ratings } from "../../src/fixtures/policy-test-files.ts";

const { path: folder, file, remove } = openTestFolder();
afterAll(remove);

const failing = (): string =>
  file(
    "failing.ikg.yaml",
    `name: failing <&> files
${graph}
policies:${mayFly}${mayLend}${ratings}
people:
  amelia: { sub: amelia, scope: fly }
tests:
  - Pilot louis may FLY Aircraft N211 {min_hours: 100}
  - amelia may LEND Aircraft N211
  - Pilot amelia may FLY Aircraft N211 {min_hours: 100}
  - search: { resources: { subject: Pilot louis, action: FLY, type: Aircraft, params: { min_hours: 100 } } }
    expect: [N211]
  - query: models
    as: amelia
    params: { model: dc3 }
    expect: { count: 1 }
`,
  );

describe("policy tests", () => {
  it("of the examples pass, and leave nothing behind", async () => {
    const { code, output, errors } = await runPolicyTests(["examples"]);
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toContain("40 tests in 4 files: 40 passed, 0 failed, 0 could not be run");
  });

  it("of the documentation's first steps answer what it says", async () => {
    const page = readFileSync(new URL("../../../docs/policy-tests.md", import.meta.url), "utf8");
    const text = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";
    const shown = /```\n( {2}✗ .*?)```/s.exec(page)?.[1] ?? "no output";
    file("reading-room.ikg.yaml", text);
    const before = await runPolicyTests(["reading-room.ikg.yaml"], folder);
    expect(before).toMatchObject({ code: 1, output: expect.stringContaining(shown) });
    file("reading-room.ikg.yaml", text.replace("bob may READ", "bob may not READ"));
    expect((await runPolicyTests(["reading-room.ikg.yaml"], folder)).code).toBe(0);
  });

  it("that fail end with 1, and say what was answered and which part of which policy is why", async () => {
    const path = failing();
    const { code, output } = await runPolicyTests([path]);
    expect(code).toBe(1);
    const lines = output.split("\n").map((line) => line.trim());
    const text = readFileSync(path, "utf8").split("\n");
    const lineOf = (part: string): number => text.findIndex((line) => line.includes(part)) + 1;
    expect(lines).toEqual(
      expect.arrayContaining([
        `${path}:${lineOf("may FLY Aircraft")}:5`,
        "expected  granted",
        "actual    denied",
        `policy may-fly: its pattern has no match left after subject.property.hours >= $min_hours (${path}:${lineOf("WHERE")}:15)`,
        `policy may-lend: its filter is not true: $token.scope CONTAINS "lend" (${path}:${lineOf("value: lend")}:13)`,
        "expected  [N211]",
        expect.stringContaining("N211: policy may-fly: its pattern has no match left after"),
        "actual    401 the token does not satisfy the policy",
      ]),
    );
    expect(output).toContain("5 tests in 1 file: 1 passed, 4 failed, 0 could not be run");
  });

  it("are reported as JUnit, TAP, JSON and annotations, all of one run", async () => {
    const reports = ["junit", "tap", "json", "github"].map((name) => join(folder, `report.${name}`));
    const [junitFile = "", tapFile = "", jsonFile = "", githubFile = ""] = reports;
    const options = reports.flatMap((path) => ["--reporter", `${path.split(".").at(-1)}=${path}`]);
    const run = () => runPolicyTests([failing(), ...options]);
    let { code, output } = await run();
    // A reason has the time that the decision leaves, and its statement may have to be planned: once it is, a repeated run has it.
    if (readFileSync(junitFile, "utf8").includes("it cannot be explained")) ({ code, output } = await run());
    expect([code, output]).toEqual([1, ""]);

    const junit = await parseJunit(readFileSync(junitFile, "utf8"));
    expect(junit).toMatchObject({ name: "ikg test", tests: 5, failures: 4, errors: 0 });
    const [suite] = (
      junit as {
        testsuite: {
          name: string;
          testcase: { name: string; failure?: { message: string; inner: string }[] }[];
        }[];
      }
    ).testsuite;
    expect(suite?.name).toBe("failing <&> files");
    expect(suite?.testcase.map(({ failure }) => failure?.[0]?.message ?? "passed")).toEqual([
      "expected granted, actual denied",
      "expected granted, actual denied",
      "passed",
      "expected [N211], actual []",
      expect.stringMatching(/^expected 1 row, actual 401/),
    ]);
    expect(suite?.testcase[0]?.failure?.[0]?.inner).toContain(
      "policy may-fly: its pattern has no match left after",
    );

    const tap = readFileSync(tapFile, "utf8").trimEnd().split("\n");
    expect(tap.slice(0, 2)).toEqual(["TAP version 14", "1..5"]);
    expect(tap.filter((line) => /^(not )?ok /.test(line)).map((line) => line.split(" - ")[0])).toEqual([
      "not ok 1",
      "not ok 2",
      "ok 3",
      "not ok 4",
      "not ok 5",
    ]);
    const first = tap.slice(tap.indexOf("  ---") + 1, tap.indexOf("  ...")).join("\n");
    expect(parseYaml(first)).toMatchObject({ expected: "granted", actual: "denied" });

    const json = JSON.parse(readFileSync(jsonFile, "utf8")) as { exit_code: number; failed: number };
    expect([json.exit_code, json.failed]).toEqual([1, 4]);
    expect(
      readFileSync(githubFile, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("::error file=")),
    ).toHaveLength(4);
  });

  it("say what was covered", async () => {
    const path = file(
      "coverage.ikg.yaml",
      `name: coverage
${graph}
policies:${mayFly}${mayLend}${ratings}
people:
  amelia: { sub: amelia, scope: lend, auth_time: 2026-01-31T08:59:00Z }
now: 2026-01-31T09:00:00Z
tests:
  - Pilot amelia may FLY Aircraft N211 {min_hours: 100}
  - Pilot louis may not FLY Aircraft N211 {min_hours: 100}
  - amelia may LEND Aircraft N211
  - { query: models, as: amelia, params: { model: dc3 }, expect: { count: 1 } }
`,
    );
    const report = join(folder, "coverage.json");
    const run = await runPolicyTests([path, "--reporter", `json=${report}`, "--coverage-threshold", "54"]);
    expect(run).toMatchObject({ code: 1, output: "", errors: "" });
    const { coverage } = JSON.parse(readFileSync(report, "utf8")) as {
      coverage: { covered: number; total: number; subjects: Record<string, unknown>[] };
    };
    const counts = coverage.subjects.map(({ kind, name, asked, granted, denied, covered, total }) => [
      kind,
      name,
      asked,
      granted,
      denied,
      covered,
      total,
    ]);
    expect(counts).toEqual([
      // FLY, granted, denied and the WHERE; not TAXI, the two hops and the label between them.
      ["policy", "may-fly", 2, 1, 1, 4, 8],
      // LEND, granted, the first leaf true and the second false; not denied, false and true, the hops and the label.
      ["policy", "may-lend", 1, 1, 0, 4, 10],
      // Rows, and the token filter true; not none, false, the hop and the label.
      ["policy", "may-read", 1, 1, 0, 2, 6],
      // Executed, and its filter true; never false.
      ["query", "models", 1, 0, 0, 2, 3],
    ]);
    expect([coverage.covered, coverage.total]).toEqual([12, 27]);
    const missing = coverage.subjects[0]?.["missing"] as readonly string[];
    expect(missing.map((line) => line.split(" (/")[0])).toEqual([
      "action never asked: TAXI",
      "never failed: -[:RATED_FOR]->(:Model)",
      "never failed: :Model",
      "never failed: <-[:IS]-(resource)",
    ]);
    expect(
      (await runPolicyTests([path, "--reporter", `json=${report}`, "--coverage-threshold", "44"])).code,
    ).toBe(0);
  });

  it("report what a suite refuses at its place", async () => {
    const path = file(
      "refused.ikg.yaml",
      `name: refused
${graph}
people:
  amelia: { sub: amelia, iss: no address }
tests:
  - Pilot amelia may FLY Aircraft N211
`,
    );
    const { code, output } = await runPolicyTests([path]);
    expect(code).toBe(2);
    expect(output).toMatch(new RegExp(`^${path}:15:31: jwt_matcher.issuer: absolute URL expected$`, "m"));
  });
});

const weather = (): string =>
  file(
    "weather.ikg.yaml",
    `name: weather
graph:
  nodes:
    - "Airfield east {wind: {external_value: weather}, size: {external_value: sizes}}"
resolvers: { weather: { speed: 21 }, sizes: 3 }
policies:
  may-read:
    meta: { policy_version: 1.0-ciq }
    subject: { type: _Application }
    condition: { cypher: "MATCH (subject:_Application) MATCH (field:Airfield)" }
    allowed_reads: { nodes: [field.property.wind, field.property.size] }
queries:
  winds: { policy: may-read, query: { nodes: [field.property.wind, field.property.size] } }
tests:
  - query: winds
    expect: { rows: [{ field.property.wind: 21, field.property.size: 3 }] }
`,
  );

describe("resolvers of policy tests", () => {
  it("are answered by the runner", async () => {
    const { code, output } = await runPolicyTests([weather()]);
    expect([code, output]).toEqual([0, expect.stringContaining("1 passed")]);
  });

  it("say what to set where the suite may not call the runner", async () => {
    const inside = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4")?.address;
    if (inside === undefined) {
      process.stdout.write("not tried: this machine has no address besides its loopback one\n");
      return;
    }
    const { code, output } = await runPolicyTests([weather(), "--resolver-host", inside]);
    expect(code).toBe(2);
    expect(output).toContain(`the suite refuses to call http://${inside}:`);
    expect(output).toContain("EGRESS_ALLOW_CIDRS");
  });
});
