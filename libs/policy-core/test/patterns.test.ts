import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, compileKbac, missingParameters } from "../src/index.ts";
import { decideStatement } from "../src/statements/index.ts";
import { patternOf } from "../src/regex/pattern.ts";
import { dropGraph, freshKey, openTestGraph, options, writeGraph } from "./graph.ts";
import { patternSource } from "./pattern-source.ts";
import { inLongRun } from "./runs.ts";

let graph: Graph;
let here: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  here = freshKey();
  const charts = { c1: "ab-12", c2: "ab-123", c3: 12, c4: `ab-${"1".repeat(5000)}` };
  const nodes = Object.entries(charts).map(([id, code]) => ({ type: "Chart", id, properties: { code } }));
  await writeGraph(graph, here, [{ type: "Nurse", id: "n1" }, ...nodes], []);
});

afterAll(async () => {
  await dropGraph(graph, here);
  await graph.close();
});

describe("a pattern means the same to the matcher in memory and to the database", () => {
  it("for patterns and texts drawn at random", async () => {
    const draw = patternSource(40);
    const cases = Array.from({ length: 1500 }, () => draw.pattern()).flatMap((text) => {
      const pattern = patternOf(text);
      if (pattern === null) return [];
      const subjects = Array.from({ length: 6 }, () => draw.subject());
      return [{ text, java: pattern.java, subjects, fits: subjects.map((each) => pattern.fits(each)) }];
    });
    expect(cases.length).toBeGreaterThan(500);
    const rows = cases.map(({ java, subjects }) => ({ java, subjects }));
    const text = "UNWIND $rows AS row RETURN [each IN row.subjects | each =~ row.java] AS fits";
    const found = await graph.shared.read(text, { rows }, options);
    const answers = found.map((row) => row["fits"] as readonly unknown[]); // one list for each row asked
    const wrong = cases.flatMap(({ text: pattern, subjects, fits }, index) =>
      subjects.flatMap((subject, each) =>
        (answers[index] ?? [])[each] === fits[each] ? [] : [{ pattern, subject }],
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    "(a+)+",
    "(a|a)*b",
    ".*a.*a.*a.*a.*b.*",
    "(?:a?){20}a{20}",
    "a*.*b",
    "(?:a[bc]?)*",
    ".*(aa|ab).*!",
  ])("%s takes the database less than its time limit on any text", async (text) => {
    const java = patternOf(text)?.java;
    const subjects = ["a".repeat(4096), `${"a".repeat(4095)}!`, "ab".repeat(2048)];
    const read = "UNWIND $subjects AS each RETURN each =~ $java AS fits";
    const rows = await graph.shared.read(read, { subjects, java }, options);
    expect(rows.map(({ fits }) => fits)).toEqual(subjects.map((each) => patternOf(text)?.fits(each)));
  });
});

const granted = async (
  where: string,
  inputParams: Record<string, unknown>,
  token = {},
): Promise<readonly string[]> => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher: `MATCH (subject), (resource) WHERE ${where}` },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  const values = bindRow(checked.value.needs, { inputParams, token });
  const charts = ["c1", "c2", "c3", "c4"];
  const rows = charts.map((id, i) => ({
    i,
    s: nodeKey(here, "Nurse", "n1"),
    r: nodeKey(here, "Chart", id),
    c0: true,
    ...values,
  }));
  const found = await graph.shared.read(
    decideStatement([checked.value], here, "row").text,
    { rows },
    options,
  );
  return charts.filter((_, i) => found.some((row) => row["i"] === i && row["granted_by"] === 0));
};

describe("=~ in a condition", () => {
  const code = "resource.property.code";

  type Values = Record<string, unknown>;
  type Case = readonly [where: string, inputParams: Values, token: Values, charts: readonly string[]];
  const cases: readonly Case[] = [
    [`${code} =~ 'ab-[0-9]{2}'`, {}, {}, ["c1"]],
    [`${code} =~ $p`, { p: "ab-\\d{3}" }, {}, ["c2"]],
    [`${code} =~ $token.p`, {}, { p: "(a)\\1" }, []],
    [`NOT ${code} =~ $token.p`, {}, { p: "(a)\\1" }, []],
    ...inLongRun<Case>([
      [`${code} =~ $token.p`, {}, { p: "(?i)AB-.*2" }, ["c1"]],
      [`NOT ${code} =~ 'x'`, {}, {}, ["c1", "c2"]],
      [`NOT toString(${code}) =~ 'ab-12' AND NOT ${code} = 12`, {}, {}, ["c2"]],
      [`${code} =~ $p AND $p = 'ab-..'`, { p: "ab-.." }, {}, ["c1"]],
      [`resource.external_id =~ 'c[34]'`, {}, {}, ["c3", "c4"]],
    ]),
  ];

  it.each(cases)("%s with %j and %j", async (where, inputParams, token, charts) => {
    expect(await granted(where, inputParams, token)).toEqual(charts);
  });

  it("needs a pattern that is accepted", () => {
    const checked = compileKbac(
      JSON.stringify({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Nurse" },
        actions: ["SIGN"],
        resource: { type: "Chart" },
        condition: { cypher: `MATCH (subject), (resource) WHERE ${code} =~ $p` },
      }),
    );
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const { needs } = checked.value;
    expect(missingParameters(needs, { p: "a.*" })).toEqual([]);
    for (const p of ["(a", "(.*a){12}", 5, null, ["a"]])
      expect(missingParameters(needs, { p })).toEqual(["p"]);
  });
});
