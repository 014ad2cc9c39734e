import { describe, expect, it } from "@jest/globals";
import type { Plan } from "neo4j-driver";
import { planSummary, withoutValues } from "./slow.ts";

describe("a statement in the log", () => {
  it.each([
    [`MATCH (n:\`Car_7\`) WHERE n.plate = 'B-42' RETURN n`, "MATCH (n:`Car_7`) WHERE n.plate = ? RETURN n"],
    [`RETURN "it's \\"me\\"" AS a, 17 AS b, 1.5 AS c`, "RETURN ? AS a, ? AS b, ? AS c"],
    ["MATCH (n {k1: $s2}) RETURN n LIMIT 10", "MATCH (n {k1: $s2}) RETURN n LIMIT ?"],
    ["MATCH (n:`it's 3`) WHERE n.a = 'x`y' RETURN 1", "MATCH (n:`it's 3`) WHERE n.a = ? RETURN ?"],
  ])("%s holds no value", (text, shown) => {
    expect(withoutValues(text)).toBe(shown);
  });

  it("is cut", () => {
    expect(withoutValues(`RETURN ${"a".repeat(3_000)}`)).toHaveLength(2_002);
  });
});

describe("a plan in the log", () => {
  it("is its operators with the rows that are expected", () => {
    const plan = (operatorType: string, EstimatedRows: number, ...children: readonly Plan[]): Plan =>
      ({ operatorType, arguments: { EstimatedRows }, children, identifiers: [] }) as unknown as Plan; // what is read
    const leaves = [plan("NodeByLabelScan@neo4j", 100), plan("Argument", 1)];
    const whole = plan("ProduceResults@neo4j", 3.4, plan("Apply@neo4j", 3, ...leaves));
    expect(planSummary(whole)).toBe("ProduceResults 3 < Apply 3 < (NodeByLabelScan 100, Argument 1)");
  });
});
