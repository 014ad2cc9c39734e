import { describe, expect, it } from "@jest/globals";
import { nodeKey } from "@ikg/physical";
import { type Answer, runStatements, explainRead, type ReadExplanation } from "../src/explain/index.ts";
import { bindRow, compileCiq } from "../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../src/query/index.ts";
import { brief, useWards } from "./wards.ts";

const wards = useWards();

describe("a knowledge query", () => {
  const pattern = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[:HOLDS]->(chart:Chart)";
  const query = (condition: object, fields: object = {}): KnowledgeQuery => {
    const policy = compileCiq(
      JSON.stringify({
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "Nurse" },
        condition,
        allowed_reads: { nodes: ["chart.*", "w.*"] },
      }),
    );
    if (!policy.ok) throw new Error(policy.faults.join("; "));
    const checked = compileQuery(JSON.stringify({ nodes: ["chart.external_id"], ...fields }), policy.value);
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    return checked.value;
  };
  const read = (
    knowledge: KnowledgeQuery,
    inputParams: Record<string, unknown> = {},
    person = "n1",
    asking: (statement: string, ask: (statement: string) => Promise<Answer>) => Promise<Answer> = (
      statement,
      ask,
    ) => ask(statement),
  ): Promise<ReadExplanation> => {
    const row = {
      s: nodeKey(wards.here, "Nurse", person),
      ...bindRow(knowledge.needs, { inputParams, token: { sub: person } }),
    };
    return runStatements(explainRead(knowledge, wards.here), (statement) =>
      asking(statement, wards.run(row)),
    );
  };
  const own = { attribute: "subject.external_id", operator: "=", value: "$token.sub" };
  const safe = { attribute: "chart.property.risk", operator: "<=", value: 2 };

  it("counts the rows before and after each filter", async () => {
    const knowledge = query(
      { cypher: pattern, filter: [own, safe] },
      { filter: { attribute: "w.property.name", operator: "=", value: "$ward" } },
    );
    expect(await read(knowledge, { ward: "West" })).toEqual({
      outcome: "matched",
      rows: {
        pattern: 4,
        filters: [
          {
            path: "policy.condition.filter[0]",
            operator: "=",
            attribute: "subject.external_id",
            value: "$token.sub",
            rows: 4,
          },
          {
            path: "policy.condition.filter[1]",
            operator: "<=",
            attribute: "chart.property.risk",
            value: 2,
            rows: 3,
          },
          { path: "query.filter", operator: "=", attribute: "w.property.name", value: "$ward", rows: 2 },
        ],
      },
    });
    expect(await read(knowledge, { ward: "North" })).toMatchObject({
      outcome: "filter_not_satisfied",
      part: { path: "query.filter" },
      certain: true,
      rows: { pattern: 4, filters: [{ rows: 4 }, { rows: 3 }, { rows: 0 }] },
    });
  });

  it("names a branch as a whole, and counts what each of its leaves takes", async () => {
    const either = (...values: readonly number[]): object => ({
      operator: "OR",
      operands: [
        { ...safe, value: values[0] },
        { operator: "NOT", operands: [{ ...safe, value: values[1] }] },
      ],
    });
    expect(await read(query({ cypher: pattern, filter: [either(0, 9)] }))).toMatchObject({
      outcome: "filter_not_satisfied",
      part: { path: "policy.condition.filter[0]", operator: "OR" },
    });
    // c3, with a risk of 2, passes neither side of the first branch, and what it drops no later leaf counts.
    const east = { attribute: "w.property.name", operator: "=", value: "East" };
    const counted = await read(query({ cypher: pattern, filter: [either(1, 4), east, either(9, 9)] }));
    const leaf = (filter: number, operand: string, value: number, rows: number) => ({
      path: `policy.condition.filter[${filter}].operands[${operand}`,
      operator: "<=",
      attribute: "chart.property.risk",
      value,
      rows,
    });
    expect(counted).toEqual({
      outcome: "matched",
      rows: {
        pattern: 4,
        filters: [
          {
            path: "policy.condition.filter[0]",
            operator: "OR",
            rows: 3,
            leaves: [leaf(0, "0]", 1, 2), leaf(0, "1].operands[0]", 4, 3)],
          },
          { ...east, path: "policy.condition.filter[1]", rows: 2 },
          {
            path: "policy.condition.filter[2]",
            operator: "OR",
            rows: 2,
            leaves: [leaf(2, "0]", 9, 2), leaf(2, "1].operands[0]", 9, 2)],
          },
        ],
      },
    });
  });

  it("names the part of the pattern without a row, and a subject that is not there", async () => {
    expect(brief(await read(query({ cypher: `${pattern} WHERE w.property.name = 'North'` })))).toBe(
      "predicate w.property.name = 'North'",
    );
    expect(brief(await read(query({ cypher: pattern }), {}, "n9"))).toBe("missing subject");
    expect(brief(await read(query({ cypher: pattern, filter: [own] }), {}, "n9"))).toBe("missing subject");
    const byText = query({ cypher: `${pattern} WHERE subject.external_id = $token.sub` });
    expect(brief(await read(byText, {}, "n9"))).toBe("predicate subject.external_id = $token.sub");
    expect(await read(byText, {}, "n2")).toMatchObject({
      outcome: "matched",
      rows: { pattern: 2, filters: [] },
    });
  });

  it("does without counts that do not finish", async () => {
    const uncounted = (statement: string, ask: (statement: string) => Promise<Answer>): Promise<Answer> =>
      statement.includes("count(*)") ? Promise.resolve(undefined) : ask(statement);
    const knowledge = query({ cypher: pattern, filter: [own, safe] });
    expect(await read(knowledge, {}, "n1", uncounted)).toEqual({ outcome: "matched" });
    expect(await read(query({ cypher: pattern }), {}, "n1", uncounted)).toEqual({ outcome: "matched" });
    // Where the answer is known nothing else is asked.
    const silent = (): Promise<Answer> => Promise.resolve(undefined);
    expect(await runStatements(explainRead(knowledge, wards.here, true), silent)).toEqual({
      outcome: "matched",
    });
    expect(
      await read(query({ cypher: pattern, filter: [own, { ...safe, value: 0 }] }), {}, "n1", uncounted),
    ).toMatchObject({
      outcome: "filter_not_satisfied",
      part: { path: "policy.condition.filter[1]" },
      certain: false,
    });
  });
});
