import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { freePort } from "../../../stack/src/ports.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { airfield, blocks, folder, paste, shell } from "../../src/documentation/pasted.ts";
import { onThisMachine } from "../../src/test-host.ts";

afterAll(() => void paste("node examples/airfield/airfield.mjs remove"));

describe("pages that continue from the README", () => {
  const continued = `. ${folder}/airfield.env\n`;

  beforeAll(() => {
    paste(blocks("README.md", "A first decision", "Users, applications and step-up authentication"));
  }, 180_000);

  it("README.md states the next step if the project already exists", () => {
    const setUp = `node examples/airfield/airfield.mjs set-up --name ${airfield}`;
    for (const script of [setUp, `unset IKG_ENVIRONMENT; IKG_HOME=${folder} ${setUp}`]) {
      const { stdout, stderr, status } = shell(script);
      expect([status, stdout, stderr]).toEqual([
        1,
        "",
        `The project ${airfield} already exists: . ${folder}/airfield.env\nOr start over: node examples/airfield/airfield.mjs remove\n`,
      ]);
    }
  }, 60_000);

  it("mcp.md holds a conversation with and without a session", () => {
    const answers = paste(
      continued +
        blocks("docs/mcp.md", "Enable it", "A conversation").replace(
          "\n",
          // The endpoint opens within two seconds.
          "\nsleep 2\n",
        ),
    ).join("\n");
    expect(answers).toContain('\\"rated-pilots\\" and input_params: model');
    expect(answers).toContain("missing or wrong input params, 'min_hours'");
    expect(answers).toContain('"structuredContent":{"decision":true}');
    expect(answers).toContain('max_age=\\"300\\"');
    expect(answers).toContain('"subject.external_id":"amelia"');
    expect(answers).toMatch(/200$/);
  }, 60_000);

  it("asking.md explains a decision and a query", () => {
    const [decision, query, ...more] = paste(
      continued + blocks("docs/asking.md", "Explain a decision", "Explain a query"),
    ).map((line) => JSON.parse(line) as Record<string, unknown>);
    const part = { kind: "predicate", text: "subject.property.hours >= $min_hours" };
    const candidate = { policy: { name: "may-fly" }, outcome: "pattern_not_matched", part };
    expect(decision).toMatchObject({
      decision: false,
      context: { explanation: { candidates: [candidate] } },
    });
    expect(query).toMatchObject({
      data: [expect.anything(), expect.anything()],
      explanation: { outcome: "rows", query: { name: "rated-pilots" } },
    });
    expect(more).toEqual([]);
  }, 60_000);

  it("replay.md finds the recorded decisions as they are today", async () => {
    const exported = `${folder}/airfield-audit`;
    const script =
      continued + blocks("docs/replay.md", "Replay an export").replaceAll("airfield-audit", exported);
    // Records are signed some seconds after the decisions.
    const answer = await eventually(
      () => {
        rmSync(exported, { recursive: true, force: true });
        return Promise.resolve(shell(script).stdout.trim().split("\n").at(-1) ?? "");
      },
      (last) => last.includes('"verdicts"'),
      { withinMs: 60_000, everyMs: 500 },
    );
    rmSync(exported, { recursive: true, force: true });
    const { results } = JSON.parse(answer) as { readonly results: readonly { readonly verdict: string }[] };
    // Calls of other pages that were refused are recorded as well, and are no decisions.
    const verdicts = results.map(({ verdict }) => verdict).filter((verdict) => verdict !== "not_replayable");
    expect(verdicts.length).toBeGreaterThanOrEqual(2);
    expect(new Set(verdicts)).toEqual(new Set(["same"]));
  }, 120_000);

  it("imports.md imports its pilots", () => {
    const answers = paste(
      continued +
        blocks("docs/imports.md", "In five lines").replaceAll("rows.ndjson.gz", `${folder}/rows.ndjson.gz`),
    );
    expect(answers[0]).toMatch(/"status":"(queued|running|done)"/);
    expect(answers[1]).toContain('"data":[]');
  }, 60_000);

  it("graph.md looks at the graph, on the command line and over HTTP", () => {
    const shown = paste(continued + blocks("docs/graph.md", "Look at a graph")).join("\n");
    expect(shown).toMatch(/^property\.hours +1200$/m);
    expect(shown).toMatch(/^in +IS +Aircraft/m);
    const [pilots, amelia, neighbours, ...more] = paste(
      continued + blocks("docs/graph.md", "The same over HTTP"),
    ).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(pilots).toMatchObject({ items: [{ type: "Pilot", external_id: "amelia" }], has_more: false });
    expect(amelia).toMatchObject({ properties: [{ type: "hours", value: 1200 }] });
    expect(neighbours?.["items"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ relationship: expect.objectContaining({ type: "RATED_FOR" }) }),
      ]),
    );
    expect(more).toEqual([]);
  }, 60_000);

  it("modelling.md adds an instructor with her club and two parallel flights", () => {
    const answers = paste(continued + blocks("docs/modelling.md", "A worked example"));
    expect(answers.filter((line) => line.startsWith('{"results"'))).toHaveLength(2);
    const shown = answers.join("\n");
    expect(shown).toMatch(/Instructor/);
    expect(shown).toMatch(/^out +MEMBER_OF +Club/m);
    expect(answers.filter((line) => /^out +FLEW +Aircraft/.test(line))).toHaveLength(2);
  }, 60_000);

  const files = `${folder}/airfield-policies`;
  const credentials =
    "warning: credentials are not written to files (1); create new ones with ikg keys create\n";
  afterAll(() => rmSync(files, { recursive: true, force: true }));

  it("authoring.md leads from an edit to a rollback", () => {
    const script = blocks("docs/authoring.md", "From an edit to a rollback");
    const answers = paste(continued + script.replaceAll("airfield-policies", files), credentials.repeat(2));
    expect(answers).toContain("9 files, 0 errors");
    const gains = answers.filter((line) => line.startsWith("+ Pilot/"));
    const louis = "+ Pilot/louis FLY Aircraft/N211 (may-fly)";
    // Examples of one simulation come in no order.
    expect([...gains.slice(0, 3).toSorted(), ...gains.slice(3)]).toEqual([
      "+ Pilot/amelia FLY Aircraft/N950 (may-fly)",
      louis,
      "+ Pilot/louis FLY Aircraft/N950 (may-fly)",
      louis,
      louis,
    ]);
    expect(answers.filter((line) => /^Pilot +FLY/.test(line))).toEqual([
      "Pilot    FLY     Aircraft  3       0",
      "Pilot    FLY     Aircraft  1       0",
      "Pilot    FLY     Aircraft  1       0",
    ]);
    expect(answers.filter((line) => /^ {2}[✓✗]/.test(line)).map((line) => line.slice(2, 60))).toEqual([
      "✓ fifty hours are enough, whatever is asked for",
      "✓ Pilot charles may not FLY Aircraft N211",
      "✗ an aircraft that is not airworthy stays on the ground",
      "✓ hours without a rating are not enough",
      "✓ fifty hours are enough, whatever is asked for",
      "✓ Pilot charles may not FLY Aircraft N211",
      "✓ an aircraft that is not airworthy stays on the ground",
      "✓ hours without a rating are not enough",
    ]);
    expect(answers.filter((line) => /^(granted|denied|may-fly )/.test(line))).toEqual([
      "may-fly 1→2.",
      "granted",
      "may-fly 2→3.",
      "denied",
    ]);
    expect(answers.at(-1)).toMatch(/policies\/may-fly\.yaml +changed/);
  }, 120_000);

  it("authoring.md has the same over HTTP, also when it is pasted twice", () => {
    const script = blocks("docs/authoring.md", "The same over HTTP");
    const examplesOf = (line: string): readonly string[] =>
      (JSON.parse(line) as { examples: readonly { subject: string; resource: string }[] }).examples
        .map(({ subject, resource }) => `${subject} ${resource}`)
        .toSorted();
    for (let pasted = 0; pasted < 2; pasted += 1) {
      const answers = paste(continued + script);
      expect(answers[0]).toBe('{"warnings":[]}');
      const differences = answers.filter((line) => line.startsWith('{"count"'));
      expect(differences.map(examplesOf)).toEqual([
        ["amelia N950", "louis N211", "louis N950"],
        [],
        ["louis N211"],
        [],
        [],
        ["louis N211"],
      ]);
      expect(answers.filter((line) => line.startsWith('{"decision"'))).toEqual([
        '{"decision":true}',
        '{"decision":false}',
      ]);
    }
  }, 120_000);

  if (onThisMachine())
    it("resolvers.md fetches a price", async () => {
      // Another run on this machine may have the port of the page.
      const port = String(await freePort());
      const record = "examples/airfield/records/prices.json";
      const ownRecord = `${folder}/prices.json`;
      writeFileSync(
        ownRecord,
        readFileSync(new URL(`../../../${record}`, import.meta.url), "utf8").replace(":9099/", `:${port}/`),
      );
      const steps = blocks("docs/resolvers.md", "From the resolver to the value")
        .replace("price-service.mjs &\n", `price-service.mjs ${port} & sleep 2\n`)
        .replace(record, ownRecord);
      const script = `${continued}${steps}\nkill %1`;
      expect(paste(script).at(-1)).toBe(
        '{"data":[{"nodes":{"aircraft.external_id":"N211","aircraft.property.price":18400,"aircraft.property.price.metadata.source":"pricing-api"}}]}',
      );
    }, 60_000);
});
