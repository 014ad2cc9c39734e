import { describe, expect, it } from "@jest/globals";
import { compileKbac } from "../policy/compile.ts";
import { locatePart, partsOfQuery } from "./query-parts.ts";

const parts = (cypher: string): readonly string[] => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: "3.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  const { query, analysis, text } = checked.value.condition;
  return partsOfQuery(query, analysis.report).map((queryPart) => {
    const part = locatePart(queryPart, text);
    // The text is the one between the two places.
    const lines = text.split("\n");
    const offset = ({ line, column }: { line: number; column: number }): number =>
      lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    expect(text.slice(offset(part.from), offset(part.to))).toBe(part.text);
    return `${part.kind} ${part.text}`;
  });
};

describe("the parts of a text, in the order in which they are explained", () => {
  it("patterns hop by hop, with what each element is tested for", () => {
    expect(
      parts(
        "MATCH (subject:Nurse {level: 3} WHERE subject.property.a > 1)-[o:ON {since: 1, until: 2} WHERE o.x = 1 AND o.y = 2]->\n  (w:Ward&!Closed WHERE w.property.b)<-[:`A b`|C*1..2]-(resource)",
      ),
    ).toEqual([
      "node (subject:Nurse {level: 3} WHERE subject.property.a > 1)",
      "predicate level: 3",
      "predicate subject.property.a > 1",
      "hop -[o:ON {since: 1, until: 2} WHERE o.x = 1 AND o.y = 2]->\n  (w:Ward&!Closed WHERE w.property.b)",
      "predicate since: 1",
      "predicate until: 2",
      "predicate o.x = 1",
      "predicate o.y = 2",
      "predicate :Ward&!Closed",
      "predicate w.property.b",
      "hop <-[:`A b`|C*1..2]-(resource)",
    ]);
  });

  it("conjuncts with the parentheses that are theirs alone", () => {
    const where =
      "((resource.property.a = 1 AND (resource.property.b = 2 OR resource.property.c = 3)) AND NOT (resource.property.d = 4)) AND ((((resource.property.e = 5)))) AND size([1, 2]) > (1) + 2 // AND no";
    expect(parts(`MATCH (subject)-->(resource) WHERE ${where}\nUNWIND [1] AS x`).slice(2)).toEqual([
      "predicate resource.property.a = 1",
      "predicate (resource.property.b = 2 OR resource.property.c = 3)",
      "predicate NOT (resource.property.d = 4)",
      "predicate ((((resource.property.e = 5))))",
      "predicate size([1, 2]) > (1) + 2",
      "clause UNWIND [1] AS x",
    ]);
  });

  it("an inline predicate waits for the names that it reads", () => {
    expect(
      parts("MATCH (subject {a: resource.property.a})-[r WHERE r.x = w.property.x]->(w), (w)-->(resource)"),
    ).toEqual([
      "node (subject {a: resource.property.a})",
      "hop -[r WHERE r.x = w.property.x]->(w)",
      "predicate r.x = w.property.x",
      "node (w)",
      "hop -->(resource)",
      "predicate a: resource.property.a",
    ]);
  });

  it("clauses that can leave no row, and none that cannot", () => {
    expect(
      parts(
        "MATCH (subject) OPTIONAL MATCH (subject)-->(x:Ward) WITH subject, x ORDER BY x.external_id MATCH (resource) WITH DISTINCT subject, resource, count(x) AS n SKIP 1 LIMIT 2 WHERE n > 1",
      ),
    ).toEqual([
      "node (subject)",
      "node (resource)",
      "clause WITH DISTINCT subject, resource, count(x) AS n SKIP 1 LIMIT 2",
      "predicate n > 1",
    ]);
  });

  it("nothing before a WITH that always gives a row", () => {
    expect(parts("MATCH (z:Zone) WITH count(z) AS n WHERE n > 1 MATCH (subject)-->(resource)")).toEqual([
      "predicate n > 1",
      "node (subject)",
      "hop -->(resource)",
    ]);
  });

  it("a CALL as a whole, and no USE", () => {
    expect(
      parts(
        "USE graph.byName($loc) MATCH (subject) CALL (subject) { MATCH (subject)-->(x:Ward) RETURN x } MATCH (x)-->(resource)",
      ),
    ).toEqual([
      "node (subject)",
      "clause CALL (subject) { MATCH (subject)-->(x:Ward) RETURN x }",
      "node (x)",
      "hop -->(resource)",
    ]);
  });
});
