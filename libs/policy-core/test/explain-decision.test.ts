import { describe, expect, it } from "@jest/globals";
import { nodeKey } from "@ikg/physical";
import { runStatements, type DecisionExplanation, explainDecision } from "../src/explain/index.ts";
import { bindRow, type Inputs, type KbacPolicy } from "../src/index.ts";
import { decideStatement } from "../src/statements/index.ts";
import { options } from "./graph.ts";
import { chartPolicy } from "./hospital.ts";
import { inLongRun, isLong } from "./runs.ts";
import { brief, useWards } from "./wards.ts";

const wards = useWards();

interface Request {
  readonly subject?: string;
  readonly resource?: string;
  readonly inputs?: Partial<Inputs>;
}

const rowFor = (policy: KbacPolicy, { subject = "n1", resource = "c1", inputs = {} }: Request): object => ({
  i: 0,
  s: nodeKey(wards.here, "Nurse", subject),
  r: nodeKey(wards.here, "Chart", resource),
  c0: true,
  ...bindRow(policy.needs, { inputParams: {}, ...inputs }),
});

const explain = (
  cypher: string,
  request: Request = {},
  version?: KbacPolicy["version"],
): Promise<DecisionExplanation> => {
  const policy = chartPolicy(cypher, version);
  return runStatements(explainDecision(policy, wards.here), wards.run(rowFor(policy, request)));
};

const decide = async (
  cypher: string,
  request: Request = {},
  version?: KbacPolicy["version"],
): Promise<boolean> => {
  const policy = chartPolicy(cypher, version);
  const { text } = decideStatement([policy], wards.here, "plain");
  const [row] = await wards.graph.shared.read(text, { __row: rowFor(policy, request) }, options);
  return row?.["granted_by"] === 0;
};

const inWard = "MATCH (subject)-[:ON]->(w:Ward)-[:HOLDS]->(resource)";

describe("a decision that was denied names the first part after which no row is left", () => {
  const denied: readonly (readonly [string, Request, string])[] = [
    [inWard, { subject: "n9" }, "missing subject"],
    [inWard, { resource: "c9" }, "missing resource"],
    [inWard, { subject: "n9", resource: "c9" }, "missing subject, resource"],
    [inWard, { resource: "c4" }, "hop -[:HOLDS]->(resource)"],
    [
      `${inWard} WHERE NOT (subject)-[:SIGNED]->(resource)`,
      { subject: "n2", resource: "c3" },
      "predicate NOT (subject)-[:SIGNED]->(resource)",
    ],
    // A WITH that folds and filters.
    [`${inWard} WITH subject, resource, count(w) AS n WHERE n > 0 AND n > 2`, {}, "predicate n > 2"],
    // A WITH that drops what is bound before the text.
    ["MATCH (w:Ward) WITH w MATCH (subject)-[:LEADS]->(w)-[:HOLDS]->(resource)", {}, "hop -[:LEADS]->(w)"],
  ];

  /** Of the long run: other kinds of parts, and parts in other places, which are found in the same way. */
  const similar: typeof denied = [
    // An OPTIONAL MATCH leaves every row, the MATCH that goes on from its null does not.
    [
      "MATCH (subject), (resource) OPTIONAL MATCH (subject)-[:LEADS]->(l) MATCH (l)-[:HOLDS]->(resource)",
      {},
      "node (l)",
    ],
    // One group always: what stands before it takes no row away.
    [
      "MATCH (z:Zone) WITH count(z) AS zones MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->(resource) WHERE zones > 0",
      {},
      "predicate zones > 0",
    ],
    [
      "MATCH (subject)-[o:ON WHERE o.since > 2000 AND o.since > 2100]->(:Ward)-[:HOLDS]->(resource)",
      {},
      "predicate o.since > 2100",
    ],
    // Several MATCH.
    [
      "MATCH (subject)-[:ON]->(w:Ward)\nMATCH (w)-[:HOLDS]->(resource)",
      { resource: "c4" },
      "hop -[:HOLDS]->(resource)",
    ],
    ["MATCH (subject)-[:LEADS]->(w:Ward)-[:HOLDS]->(resource)", {}, "hop -[:LEADS]->(w:Ward)"],
    [
      "MATCH (subject)-[:SIGNED]->(w:Ward)-->(resource)",
      { subject: "n2", resource: "c3" },
      "predicate :Ward",
    ],
    ["MATCH (subject)-[:ON]->(w:Ward {name: 'North'})-[:HOLDS]->(resource)", {}, "predicate name: 'North'"],
    [
      "MATCH (subject)-[:ON]->(w WHERE w.property.name = 'East')-[:HOLDS]->(resource)",
      { resource: "c3" },
      "hop -[:HOLDS]->(resource)",
    ],
    [
      `${inWard} WHERE resource.property.risk > 0 AND resource.property.risk < 1`,
      {},
      "predicate resource.property.risk < 1",
    ],
    [
      `${inWard} WHERE (resource.property.risk = 7 OR w.property.name = 'North') AND subject.property.level = 3`,
      {},
      "predicate (resource.property.risk = 7 OR w.property.name = 'North')",
    ],
    [
      `${inWard} WHERE resource.property.risk <= $max`,
      { resource: "c2", inputs: { inputParams: { max: 3 } } },
      "predicate resource.property.risk <= $max",
    ],
    ["MATCH (subject)-[:ON]->(w:Ward), (z:Zone), (w)-[:HOLDS]->(resource)", {}, "node (z:Zone)"],
    [
      `${inWard} WITH subject, resource SKIP 5 MATCH (subject)-->(t:Team)`,
      {},
      "clause WITH subject, resource SKIP 5",
    ],
    [
      `${inWard} WITH subject, resource, collect(w.external_id) AS ids UNWIND ids AS id WITH * WHERE id = 'w7'`,
      {},
      "predicate id = 'w7'",
    ],
    [`${inWard} UNWIND [] AS nothing`, {}, "clause UNWIND [] AS nothing"],
    // Variable length, undirected, a predicate that reads a name of a later pattern.
    [
      "MATCH (subject)-[:ON|HOLDS*1..3]->(t:Ward)-[*..2]-(resource) WHERE t.property.x IS NOT NULL",
      {},
      "predicate t.property.x IS NOT NULL",
    ],
    [
      "MATCH (subject {level: resource.property.risk})-[:ON]->(w)-[:HOLDS]->(resource)",
      {},
      "predicate level: resource.property.risk",
    ],
    ["MATCH p = (subject)-[*1..2]->(resource) WHERE length(p) > 2", {}, "predicate length(p) > 2"],
    ["MATCH (subject)-[:ON]->(w:Team)-[:HOLDS]->(resource)", { subject: "n2" }, "predicate :Team"],
    ["MATCH (subject)-[o:ON {since: 1990}]->(w:Ward)-[:HOLDS]->(resource)", {}, "predicate since: 1990"],
    [
      `${inWard} WHERE EXISTS { (subject)-[:SIGNED]->(resource) }`,
      {},
      "predicate EXISTS { (subject)-[:SIGNED]->(resource) }",
    ],
    [
      "MATCH (subject), (resource) MATCH (w:Ward {external_id: $w})",
      { inputs: { inputParams: { w: "w9" } } },
      "predicate external_id: $w",
    ],
    [
      "MATCH (subject), (resource) WHERE subject.property.name = 'Bo'",
      {},
      "predicate subject.property.name = 'Bo'",
    ],
    [
      "MATCH (subject)-[rels:ON|HOLDS*2]->(resource) WHERE all(r IN rels WHERE r.since > 3000)",
      {},
      "predicate all(r IN rels WHERE r.since > 3000)",
    ],
  ];

  it.each([...denied, ...inLongRun(similar)])("%s", async (cypher, request, expected) => {
    expect(brief(await explain(cypher, request))).toBe(expected);
    // In every run, explain.fuzz.test.ts compares explanations of random cases with their decisions.
    if (isLong()) expect(await decide(cypher, request)).toBe(false);
  });

  it("gives the place in the author's text", async () => {
    expect(
      await explain("MATCH (subject)-[:ON]->(w)\n  WHERE w.property.name =\n 'North' MATCH (w)-->(resource)"),
    ).toEqual({
      outcome: "pattern_not_matched",
      part: {
        kind: "predicate",
        from: { line: 2, column: 9 },
        to: { line: 3, column: 9 },
        text: "w.property.name =\n 'North'",
      },
      certain: true,
    });
  });

  it("takes a CALL as one part", async () => {
    const inside = "MATCH (subject) CALL (subject) { MATCH (subject)-[:LEADS]->(w:Ward) RETURN w }";
    const call = "CALL (subject) { MATCH (subject)-[:LEADS]->(w:Ward) RETURN w }";
    expect(brief(await explain(`${inside} MATCH (w)-[:HOLDS]->(resource)`, {}, "3.0-kbac"))).toBe(
      `clause ${call}`,
    );
    const binding =
      "CALL () { MATCH (subject)-[:ON]->(w:Ward) RETURN subject, w } MATCH (w)-[:HOLDS]->(resource)";
    expect(brief(await explain(binding, { resource: "c4" }, "3.0-kbac"))).toBe("hop -[:HOLDS]->(resource)");
    expect(brief(await explain(binding, {}, "3.0-kbac"))).toBe("Nurse/n1 Ward/w1 Chart/c1");
  });
});

describe("a decision that was granted shows one match, always the same", () => {
  it("of named and anonymous elements, as references", async () => {
    expect(await explain("MATCH (subject)-[:ON]->(:Ward)-[h:HOLDS]->(resource)")).toEqual({
      outcome: "matched",
      path: {
        nodes: [
          { type: "Nurse", external_id: "n1" },
          { type: "Ward", external_id: "w1" },
          { type: "Chart", external_id: "c1" },
        ],
        relationships: [
          {
            type: "ON",
            source: { type: "Nurse", external_id: "n1" },
            target: { type: "Ward", external_id: "w1" },
          },
          {
            type: "HOLDS",
            source: { type: "Ward", external_id: "w1" },
            target: { type: "Chart", external_id: "c1" },
          },
        ],
      },
    });
  });

  it("carries what a WITH drops, even when its name is used again", async () => {
    const cypher =
      "MATCH (subject)-[:ON]->(w:Team) WITH subject MATCH (subject)-[:ON]->(w:Ward)-->(resource) WITH resource, subject, 1 AS one";
    expect(brief(await explain(cypher))).toBe("Nurse/n1 Team/t1 Ward/w1 Chart/c1");
  });

  it("leaves out what an aggregation folds and an OPTIONAL MATCH does not find", async () => {
    const folded = `${inWard} WITH subject, resource, count(w) AS n OPTIONAL MATCH (subject)-[:LEADS]->(x:Ward)`;
    expect(await explain(folded)).toEqual({
      outcome: "matched",
      path: {
        nodes: [
          { type: "Nurse", external_id: "n1" },
          { type: "Chart", external_id: "c1" },
        ],
        relationships: [],
      },
    });
  });

  it("gives the hops of a variable length", async () => {
    const explanation = await explain("MATCH (subject)-[:ON|HOLDS*1..2]->(resource)", { resource: "c2" });
    expect(explanation).toMatchObject({
      path: {
        nodes: [{ external_id: "n1" }, { external_id: "w1" }, { external_id: "c2" }],
        relationships: [
          { type: "ON", target: { type: "Ward", external_id: "w1" } },
          { type: "HOLDS", source: { type: "Ward", external_id: "w1" } },
        ],
      },
    });
  });

  it("asks for any match when there are too many to put in order", async () => {
    const policy = chartPolicy(inWard);
    const ask = wards.run(rowFor(policy, {}));
    const request: string[] = [];
    const explanation = await runStatements(explainDecision(policy, wards.here), (statement) => {
      request.push(statement);
      return statement.includes("ORDER BY") ? Promise.resolve(undefined) : ask(statement);
    });
    expect(explanation.outcome).toBe("matched");
    expect(request).toHaveLength(2);
  });

  it("says so when statements do not finish", async () => {
    const policy = chartPolicy(inWard);
    expect(
      await runStatements(explainDecision(policy, wards.here), () => Promise.resolve(undefined)),
    ).toEqual({
      outcome: "unknown",
    });
    const slow = await runStatements(explainDecision(policy, wards.here), (statement) =>
      statement.startsWith("OPTIONAL")
        ? wards.run(rowFor(policy, {}))(statement)
        : Promise.resolve(undefined),
    );
    expect(slow).toMatchObject({ outcome: "pattern_not_matched", certain: false });
  });

  it("knows the identity switch", async () => {
    const policy = chartPolicy(inWard);
    const statements = explainDecision(policy, wards.here, { requireIdentity: true });
    expect(await runStatements(statements, wards.run(rowFor(policy, {})))).toEqual({
      outcome: "identity_required",
    });
  });
});
